import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { entriesOf, operationsOf, resolve, type Json, type OpenApi } from './document.js';

/** Each schema of the document that has an example, with its location. */
function* examplesOf(document: OpenApi): Generator<[at: string, example: unknown]> {
  for (const [at, value] of entriesOf(document)) {
    const { schema, example, examples = {} } = (value ?? {}) as Partial<Record<string, Json>>;
    if (at.endsWith('/properties')) continue; // a field may be called "example"
    if (example !== undefined) yield [schema ? `${at}/schema` : at, example];
    if (Array.isArray(examples)) for (const one of examples) yield [at, one];
    for (const named of Object.values(schema ? examples : {}) as { $ref?: string }[]) {
      const { value } = (named.$ref ? resolve(document, named.$ref) : named) as { value: unknown };
      yield [`${at}/schema`, value];
    }
  }
}

export function testExamples(document: OpenApi): void {
  describe('examples', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'api:/');

    test('match their schemas', () => {
      let held = 0;
      for (const [at, example] of examplesOf(document)) {
        const pointer = at.split('/').map(encodeURIComponent).join('/').slice('%23'.length);
        const fine = ajv.validate({ $ref: `api:/#${pointer}` }, example);
        assert.ok(fine, `${at}: ${ajv.errorsText()}: ${JSON.stringify(example)}`);
        held += 1;
      }
      assert.ok(held > operationsOf(document).length * 3, `${held} examples`);
    });

    test('have signed URLs', () => {
      const text = JSON.stringify(document);
      const urls = text.match(/https:[^"]+\/files\/[^"]+/g) ?? [];
      assert.ok(urls.length > 3);
      for (const url of urls) {
        const id = '[0-9a-f-]{36}';
        const key = `(${id}/){4}(original|display|thumb)\\.\\w+`;
        assert.match(url, new RegExp(`/files/${key}\\?exp=\\d+&sig=[\\w-]{28}$`));
      }
    });
  });
}
