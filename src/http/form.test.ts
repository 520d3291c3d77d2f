import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { ServiceError } from '../base/errors/catalogue.js';
import { decoderOf, anonymousFieldLimits, fieldLimits, KnownFields } from './form-fields.js';
import { validate, idList, text } from './request-fields.js';
import { jsonFields, urlencodedFields } from './body.js';
import { readParts } from './multipart.js';

const schema = z.object({ title: text(1, 20).optional(), ids: idList.optional() });
const known = new KnownFields([schema]);
const rules = { known, limits: fieldLimits };
const utf8 = decoderOf('utf-8') ?? assert.fail();

const code = (wanted: string, field?: string) => (error: unknown) =>
  error instanceof ServiceError &&
  error.code === wanted &&
  (field === undefined || error.field === field);

describe('the parts of a form', () => {
  const read = async (body: string, chunk: number, boundary = 'b'): Promise<string[]> => {
    const bytes = Buffer.from(body, 'latin1');
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, n) =>
      bytes.subarray(n * chunk, (n + 1) * chunk),
    );
    const found: string[] = [];
    for await (const part of readParts(Readable.from(chunks), boundary)) {
      let content = '';
      for await (const piece of part.content) content += piece.toString('latin1');
      found.push(`${part.name}=${content}`);
    }
    return found;
  };
  const named = (name: string, more = '') =>
    `Content-Disposition: form-data; name="${name}"${more}`;
  const cases: [what: string, body: string, parts: string[]][] = [
    ['blanks after boundaries', `--b \t\r\n${named('a')}\r\n\r\n1\r\n--b\t\r\n${named('c')}\r\n\r\n2\r\n--b-- \r\n`, ['a=1', 'c=2']],
    ['a preamble and an epilogue', `hi\r\n--b\r\n${named('a')}\r\n\r\n1\r\n--b--\r\n--b\r\n${named('c')}\r\n\r\n2\r\n--b--`, ['a=1']],
    ['an end without a line end', `--b\r\n${named('a')}\r\n\r\n1\r\n--b--`, ['a=1']],
    ['empty parts', `--b\r\n${named('a')}\r\n\r\n\r\n--b\r\n${named('c')}\r\n\r\n\r\n--b--`, ['a=', 'c=']],
    ['lines that only begin like a delimiter', `--b\r\n${named('a')}\r\n\r\n\r\n--bc\r\n--b -\r\n-\r\n--b--`, ['a=\r\n--bc\r\n--b -\r\n-']],
    ['line ends before delimiters', `--b\r\n${named('a')}\r\n\r\n\r\n\r\r\n\r\n--b--`, ['a=\r\n\r\r\n']],
    ['folded headers', `--b\r\nContent-Disposition: form-data;\r\n\tname="a"\r\n\r\n1\r\n--b--`, ['a=1']],
    ['headers in any case', `--b\r\nCONTENT-disposition:Form-Data;Name=a ; x="\\""\r\n\r\n1\r\n--b--`, ['a=1']],
    ['escaped quotes', `--b\r\n${named('a\\"c\\\\', '; filename="C:\\x;.jpg"')}\r\n\r\n1\r\n--b--`, ['a"c\\=1']],
    ['no headers', '--b\r\n\r\n1\r\n--b--', ['undefined=1']],
    ['nothing', '--b--', []],
  ]; // prettier-ignore
  for (const [what, body, parts] of cases) {
    test(`may have ${what}, however they arrive`, async () => {
      for (const chunk of [1, 2, 3, 5, 7, 1_000]) {
        assert.deepEqual(await read(body, chunk), parts, `in chunks of ${chunk}`);
      }
    });
  }

  test('that are not read are skipped', async () => {
    const names = [];
    const body = `--b\r\n${named('a')}\r\n\r\n1\r\n--b\r\n${named('c')}\r\n\r\n2\r\n--b--`;
    for await (const { name } of readParts(Readable.from([Buffer.from(body)]), 'b'))
      names.push(name);
    assert.deepEqual(names, ['a', 'c']);
  });

  test('that break off anywhere are no form', async () => {
    const whole = `--b\r\n${named('a')}\r\n\r\n1\r\n--b--`;
    for (let length = 0; length < whole.length; length += 1) {
      await assert.rejects(read(whole.slice(0, length), 4), code('upload_interrupted'));
    }
  });

  test('have bounded headers and boundaries', async () => {
    const long = `--b\r\nX: ${'x'.repeat(20_000)}\r\n${named('a')}\r\n\r\n1\r\n--b--`;
    await assert.rejects(read(long, 1_000), code('upload_interrupted'));
    const padded = `--b\r\n${named('a')}\r\n\r\n1\r\n--b${' '.repeat(2_000)}\r\n--b--`;
    assert.deepEqual(await read(padded, 100), [`a=1\r\n--b${' '.repeat(2_000)}`]);
  });
});

describe('a URL-encoded form', () => {
  const read = (form: string, charset = 'utf-8') => ({
    ...urlencodedFields(Buffer.from(form, 'latin1'), rules, decoderOf(charset)),
  });

  test('is decoded as the URL standard says; what is unknown is left out', () => {
    assert.deepEqual(read('title=a+b%20%41%c3%a9%zz%4&x=%ff&&ids=1'), {
      title: 'a b Aé%zz%4',
      ids: '1',
    });
    assert.deepEqual(read('title'), { title: '' });
  });

  test('gives lists by any of their names, in order; other fields only by their own', () => {
    assert.deepEqual(read('ids[]=1&ids%5B7%5D=2&ids=3&title[]=x&ids[x]=4&ids[0][1]=5'), {
      ids: ['1', '2', '3'],
    });
  });

  test('is in the charset that it declares, in every byte', () => {
    const korean = '%bb%e7%c1%f8+%8cc'; // the last character only with the extension cp949
    for (const label of ['euc-kr', 'CP949', 'ks_c_5601-1987']) {
      assert.deepEqual(read(`title=${korean}`, label), { title: '사진 똠' });
      assert.deepEqual(read(`_charset_=${label}&title=${korean}`), { title: '사진 똠' });
    }
    assert.deepEqual(read('title=%80', 'windows-1252'), { title: '€' });
    assert.deepEqual(read('title=%ec%82%ac', 'us-ascii'), { title: '사' });
    for (const [form, charset] of [
      ['title=%ff', 'utf-8'],
      ['title=%ed%a0%80', 'utf-8'],
      ['title=%b0', 'euc-kr'],
      ['_charset_=shift_jis&title=%81', 'utf-8'],
    ] as const) {
      assert.throws(() => read(form, charset), code('invalid_field', 'title'), form);
    }
    assert.throws(() => read('_charset_=utf-7&title=a'), code('invalid_field', '_charset_'));
  });
});

describe('work before limits: refused before it is done', () => {
  const form = (content: string, limits = fieldLimits) =>
    urlencodedFields(Buffer.from(content), { known, limits }, () => assert.fail('decoded'));
  const json = (content: string) => jsonFields(Buffer.from(content), rules, utf8);

  test('more fields or bytes than a form may have', () => {
    assert.throws(() => form('title=%41&'.repeat(10_101)), code('upload_too_large'));
    assert.throws(() => form('&'.repeat(10_101)), code('upload_too_large'));
    assert.throws(
      () => form('title=1&'.repeat(21), anonymousFieldLimits),
      code('upload_too_large'),
    );
    assert.throws(() => form('+'.repeat(33_000), anonymousFieldLimits), code('upload_too_large'));
  });

  test('text longer than any field accepts, before it is decoded or parsed', () => {
    assert.throws(() => form(`title=${'1'.repeat(40_001)}`), code('invalid_field', 'title'));
    const long = JSON.stringify({ title: '1'.repeat(20_001) });
    assert.throws(() => json(long), code('invalid_field', 'title'));
  });

  test('JSON of more values or depth than any operation reads, before it is parsed', () => {
    const parsed: string[] = [];
    const parse = JSON.parse;
    JSON.parse = (given: string) => {
      parsed.push(given);
      return parse(given) as unknown;
    };
    try {
      assert.throws(() => json(`{"ids":[${'1,'.repeat(40_100)}1]}`), code('upload_too_large'));
      assert.throws(() => json(`{"ids":[${'[],'.repeat(20_100)}1]}`), code('upload_too_large'));
      assert.deepEqual(parsed, []);
      const deep = `${'[{"a":'.repeat(1e5)}1${'}]'.repeat(1e5)}`;
      assert.deepEqual({ ...json(`{"x":${deep},"title":"a","y":[[${deep},1]]}`) }, { title: 'a' });
      assert.throws(() => json('['.repeat(1e5)), code('invalid_field', 'body'));
      assert.throws(() => json(`{"a":${'{"a":'.repeat(1e5)}`), code('invalid_field', 'body'));
      assert.throws(() => validate(schema, { ids: '['.repeat(1e5) }), code('invalid_field', 'ids'));
      assert.equal(parsed.length, 4);
      assert.ok(parsed.every(({ length }) => length < 200));
    } finally {
      JSON.parse = parse;
    }
    assert.deepEqual({ ...json(`{"title":"\\"[[[{,,,\\\\","x":[[]]}`) }, { title: '"[[[{,,,\\' });
  });

  test('lists of more words than any may have, before they are split', () => {
    const long = [','.repeat(10_101), Array<string>(20_300).fill('a'), 'a'.repeat(1_001)];
    for (const ids of long) {
      assert.throws(() => validate(schema, { ids }), code('invalid_field', 'ids'));
    }
    const most = Array.from({ length: 10_000 }, (_, n) => `A${n}`);
    for (const ids of [most, most.join(', '), JSON.stringify(most)]) {
      assert.equal(validate(schema, { ids }).ids?.length, most.length);
    }
  });
});

test('JSON that is not in its charset names its field', () => {
  const read = (bytes: Buffer, charset = 'utf-8') =>
    jsonFields(bytes, rules, decoderOf(charset) ?? assert.fail());
  const bytes = Buffer.from('{"ids":"1","title":"\xbb\xe7"}', 'latin1');
  assert.throws(() => read(bytes), code('invalid_field', 'title'));
  assert.deepEqual({ ...read(bytes, 'euc-kr') }, { ids: '1', title: '사' });
  const marked = Buffer.from(`\ufeff{"title":"\ufeffx"}`);
  assert.deepEqual({ ...read(marked) }, { title: '\ufeffx' }, 'only the first mark is no text');
  assert.deepEqual({ ...read(Buffer.from('{"title":"x"}', 'utf16le'), 'utf-16') }, { title: 'x' });
});
