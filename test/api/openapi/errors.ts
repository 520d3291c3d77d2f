import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entriesOf, operationsOf, resolve, type OpenApi } from './document.js';

export function testErrors(document: OpenApi): void {
  const operations = operationsOf(document);

  describe('errors', () => {
    const codesOf = (id: string, status: number): string[] => {
      const { operation } = operations.find((one) => one.operation.operationId === id) ?? {};
      const { $ref, ...own } = (operation?.responses[status] ?? {}) as { $ref?: string };
      const { content } = ($ref === undefined ? own : resolve(document, $ref)) as {
        content?: Record<string, { schema: unknown; examples: object }>;
      };
      const { schema, examples = {} } = content?.['application/json'] ?? {};
      const [codes = []] = [...entriesOf(schema)].flatMap(([at, value]) =>
        at.endsWith('/code/enum') ? [value as string[]] : [],
      );
      assert.deepEqual(Object.keys(examples), codes, 'an example of each');
      return codes;
    };
    const always = ['malformed_request', 'invalid_field'];
    const late = ['upload_interrupted'];

    test('are those that the operation declares, and those common to its type', () => {
      assert.deepEqual(codesOf('listPlatforms', 400), [...always, ...late]);
      const found = ['user_not_found', 'image_not_found']; // the user may be `me`
      assert.deepEqual(codesOf('getImage', 400), [...always, ...found, ...late]);
      const [first, second] = always;
      assert.deepEqual(codesOf('createFolder', 400), [
        first,
        'missing_field',
        second,
        'user_not_found',
        'folder_not_found',
        'folder_exists',
        'folder_too_deep',
        'folder_in_trash',
        'too_many_folders',
        ...late,
      ]);
      for (const code of ['storage_quota_exceeded', 'corrupt_image', 'missing_field']) {
        assert.ok(codesOf('addFiledata', 400).includes(code), code);
      }
    });

    test('are 403 if a token is valid for one tenant only', () => {
      for (const { operation } of operations) {
        const [scheme = 'none'] = operation.security.flatMap((one) => Object.keys(one));
        const tenants = ['Platform', 'User'].includes(scheme);
        const suspended = ['platform_suspended', 'user_suspended'];
        const { tags, operationId } = operation;
        if (tags.includes('Visitors') && !operationId.startsWith('describe')) {
          const password = operationId === 'visitLink' ? [] : ['password_required'];
          const address = operationId === 'getLinkArchive' ? ['forbidden'] : [];
          assert.deepEqual(codesOf(operationId, 403), [...address, ...password]);
          continue;
        }
        const refused = tenants
          ? ['forbidden', 'not_allowed', ...suspended]
          : scheme === 'none'
            ? suspended
            : ['not_allowed'];
        assert.deepEqual(codesOf(operation.operationId, 403), refused);
        assert.equal(codesOf(operation.operationId, 401).length, 3);
      }
    });
  });
}
