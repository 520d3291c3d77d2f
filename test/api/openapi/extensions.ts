import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entriesOf, operationsOf } from './document.js';
import type { Json, OpenApi } from './document.js';

/** Names of the marked properties in these schemas. */
const markedIn = (schema: unknown): string[] =>
  [...entriesOf(schema)].flatMap(([at, value]) =>
    (value as Json | null)?.['x-ext'] === true ? [at.split('/').at(-1) ?? ''] : [],
  );

export function testExtensions(document: OpenApi): void {
  const operations = operationsOf(document);

  describe('x-ext', () => {
    const form = 'application/x-www-form-urlencoded';

    test('marks what the interface does not have, and nothing else', () => {
      const marked = operations.flatMap(({ operation }) => {
        const { operationId: id, parameters, requestBody, responses } = operation;
        const body = requestBody?.content[form]?.schema.properties;
        const content = responses[200]?.content as Record<string, { schema: Json }>;
        return [
          ...('x-ext' in operation ? [id] : []),
          ...parameters
            .filter((parameter) => 'x-ext' in parameter)
            .map(({ name }) => `${id}?${name}`),
          ...markedIn(body).map((name) => `${id}(${name})`),
          ...markedIn(content['application/json']).map((name) => `${id} ${name}`),
        ];
      });
      const components = Object.entries(document.components.schemas).flatMap(
        ([component, schema]) => markedIn(schema).map((name) => `${component}.${name}`),
      );
      const account = ['used_storage_mb', 'trash_image_count'];
      assert.deepEqual(
        [...marked, ...components].sort(),
        [
          'Filedata.is_incomplete',
          ...['Image.distance_m', 'Image.hashdata', 'Image.is_incomplete', 'Image.taken_at'],
          ...['Image.thumb_url', 'Image.thumbhash'],
          'createPlatform(platform)',
          'getImage?with_history',
          ...['getPlatform', 'getPlatformInfo'].map((id) => `${id} user_count`),
          ...['getPlatformUserInfo', 'getUserInfo', 'updateUser'].flatMap((id) =>
            account.map((name) => `${id} ${name}`),
          ),
          // As a grid, and by day.
          ...['listImages total_is_exact', 'listImages total_is_exact'],
          'listImages?radius',
          ...['shareImages', 'updateImage'].flatMap((id) =>
            ['with_memo', 'with_custom', 'with_history'].map((name) => `${id}?${name}`),
          ),
          'listPlatforms user_count',
          'refreshToken',
        ].sort(),
      );
    });

    test('marks bodies of JSON, since the interface has forms only', () => {
      for (const { operation } of operations) {
        const { 'application/json': json, ...forms } = operation.requestBody?.content ?? {};
        assert.ok(!json || 'x-ext' in json, operation.operationId);
        for (const body of Object.values(forms)) assert.ok(!('x-ext' in body));
      }
    });
  });
}
