import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { jpeg } from '../../testkit/pictures.js';
import { exchange, RawConnection } from './raw-connection.js';
import { appliance } from '../../testkit/appliance.js';

const serving = await appliance({ after });
const { user } = serving;
const { url } = serving;

const refresh = 'POST /api/v1/auth/refresh HTTP/1.1';
const upload = `POST ${user.images} HTTP/1.1\r\nAuthorization: User ${user.token}`;
const form = (boundary = 'b') => `\r\nContent-Type: multipart/form-data; boundary=${boundary}`;
const part = (headers: string, value = 'x') => `--b\r\n${headers}\r\n\r\n${value}\r\n`;
const disposition = 'Content-Disposition: form-data';
const end = '--b--\r\n';
const token = part(`${disposition}; name="refresh_token"`);

/** Asserts that the same process still serves. */
async function assertServes(): Promise<void> {
  assert.deepEqual([serving.child.exitCode, serving.child.signalCode], [null, null]);
  assert.equal((await serving.client.raw('GET', '/livez')).status, 200);
}

test('a part without a name is 400 without a token, and the process survives', async () => {
  for (const body of [
    part(disposition) + end,
    part(`${disposition}; filename="x"`) + end,
    part(`${disposition}; name`) + end,
  ]) {
    const { status, code } = await exchange(url, refresh + form(), body);
    assert.deepEqual([status, code], [400, 'upload_interrupted'], body);
  }
  await assertServes();
});

const broken = [400, 'upload_interrupted'] as const;
const missing = [400, 'missing_field'] as const;
const unauthorized = [401, 'unauthorized'] as const;
const tooLarge = [413, 'upload_too_large'] as const;
const unreadable = [415, 'unsupported_media_type'] as const;

describe('a form is what it claims to be or a 4xx: on the route without a token', () => {
  const cases: [what: string, body: string, outcome: readonly [number, string], type?: string][] = [
    ['whole', token + end, unauthorized],
    ['without its end', token, broken],
    ['cut in a delimiter', `${token}--b`, broken],
    ['cut in a header', `--b\r\n${disposition}; na`, broken],
    ['nothing but its end', end, missing],
    ['lines that end in LF alone', (token + end).replaceAll('\r\n', '\n'), broken],
    ['preamble and epilogue', `hello\r\n${token}${end}bye`, unauthorized],
    ['a part after the end', `${end}${token}${end}`, missing],
    ['twice the same header', part(`${disposition}; name="a"\r\n${disposition}; name="b"`) + end, missing],
    ['a header without a colon', part('nonsense') + end, broken],
    ['no header at all', `--b\r\n\r\nx\r\n${end}`, broken],
    ['another disposition', part('Content-Disposition: attachment; name="refresh_token"') + end, broken],
    ['a header of 1 MB', part(`X: ${'x'.repeat(1_000_000)}\r\n${disposition}; name="refresh_token"`) + end, tooLarge],
    ['a header of 20 KB', part(`X: ${'x'.repeat(20_000)}\r\n${disposition}; name="refresh_token"`) + end, broken],
    ['a form within the form', part(`${disposition}; name="a"\r\nContent-Type: multipart/mixed; boundary=c`, '--c\r\n\r\nx\r\n--c--') + token + end, unauthorized],
    ['a charset that nobody knows', part(`${disposition}; name="a"\r\nContent-Type: text/plain; charset=\0`) + token + end, unauthorized],
    ['a field _charset_', part(`${disposition}; name="_charset_"`, 'utf-7') + token + end, [400, 'invalid_field']],
    ['a known charset in a field _charset_', part(`${disposition}; name="_charset_"`, 'euc-kr') + token + end, unauthorized],
    ['names of prototypes', part(`${disposition}; name="__proto__"`) + part(`${disposition}; name="constructor"`) + token + end, unauthorized],
    ['a file name in pieces', part(`${disposition}; name="a"; filename*=utf-8''%ff%zz`) + token + end, unauthorized],
    ['the token as a file', part(`${disposition}; name="refresh_token"; filename="x"`) + end, unauthorized],
    ['the token twice', token + token + end, [400, 'invalid_field']],
    ['21 fields', part(`${disposition}; name="a"`).repeat(21) + end, tooLarge],
    ['twenty fields', part(`${disposition}; name="a"`).repeat(19) + token + end, unauthorized],
    ['no boundary', token + end, unreadable, 'multipart/form-data'],
    ['an empty boundary', token + end, unreadable, 'multipart/form-data; boundary=""'],
    ['a quoted boundary', (token + end).replaceAll('--b', '--b c'), unauthorized, 'multipart/form-data; boundary="b c"'],
    ['a boundary of 300 characters', (token + end).replaceAll('--b', `--${'b'.repeat(300)}`), unreadable, `multipart/form-data; boundary=${'b'.repeat(300)}`],
  ]; // prettier-ignore
  for (const [what, body, outcome, type] of cases) {
    test(what, async () => {
      const head = `${refresh}${type === undefined ? form() : `\r\nContent-Type: ${type}`}`;
      const { status, code } = await exchange(url, head, body);
      assert.deepEqual([status, code], outcome);
    });
  }

  test('the service still answers after all of them', assertServes);
});

describe('a form is what it claims to be or a 4xx: uploads', () => {
  const file = `${disposition}; name="image_data"; filename="a"`;
  const cases: [what: string, body: string, outcome: readonly [number, string]][] = [
    ['no file', part(`${disposition}; name="message"`) + end, missing],
    ['a file of another name', part(`${disposition}; name="x"; filename="a"`) + end, missing],
    ['a file without a name', part(`${disposition}; filename="a"`) + end, broken],
    ['a file without its end', `--b\r\n${file}\r\n\r\nxxx`, broken],
    ['a file, and then nonsense', part(file) + part(disposition) + end, broken],
    ['two files', part(file) + part(file) + end, [400, 'too_many_files']],
    ['eleven files', part(`${disposition}; name="x"; filename="a"`).repeat(11) + end, tooLarge],
  ]; // prettier-ignore
  for (const [what, body, outcome] of cases) {
    test(what, async () => {
      const { status, code } = await exchange(url, upload + form(), body);
      assert.deepEqual([status, code], outcome);
    });
  }

  test('a length longer than the body: the client disconnects, nothing happens', async () => {
    const connection = await RawConnection.open(url);
    await connection.send(
      `${upload}${form()}\r\nHost: x\r\nContent-Length: 9999\r\n\r\n${part(file)}`,
    );
    connection.close();
    await assertServes();
  });

  test('a length shorter than the body: the rest is not taken for a request', async () => {
    const connection = await RawConnection.open(url);
    await connection.send(
      `${upload}${form()}\r\nHost: x\r\nContent-Length: 60\r\n\r\n${part(file)}${end}`,
    );
    await connection.ended();
    await assertServes();
  });

  test('chunks with trailers are a body like any other', async () => {
    const connection = await RawConnection.open(url);
    await connection.send(`${upload}${form()}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const bytes = await jpeg();
    await connection.sendChunk(Buffer.from(`--b\r\n${file}\r\n\r\n`));
    await connection.sendChunk(bytes);
    await connection.sendChunk(Buffer.from(`\r\n${end}`));
    await connection.send('0\r\nX-Trailer: x\r\n\r\n');
    assert.equal((await connection.answer()).status, 200);
    connection.close();
  });
});
