import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PeakMemory } from '../../testkit/memory.js';
import { RawConnection, type RawAnswer } from './raw-connection.js';
import { appliance } from '../../testkit/appliance.js';

const started = await appliance({ after });
const { url, user } = started;

const megabyte = 1024 * 1024;
/** Megabytes that are sent where one is accepted. */
const offered = 256;
/** Megabytes that may be in transit in the socket buffers when the response comes. */
const underWay = 64;
/** Megabytes of uncollected garbage tolerated. */
const flat = 80;

interface Flood {
  readonly answer: RawAnswer;
  /** Megabytes sent before the response came. */
  readonly sent: number;
}

/** Sends `opening` and then `chunk` repeatedly until there is an answer. */
async function flood(head: string, opening: string, chunk: string): Promise<Flood> {
  const connection = await RawConnection.open(url);
  try {
    await connection.send(`${head}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    if (opening !== '') await connection.sendChunk(Buffer.from(opening));
    const bytes = Buffer.from(chunk.repeat(Math.ceil(megabyte / chunk.length)));
    let sent = 0;
    for (; sent < offered && !connection.done; sent += 1) await connection.sendChunk(bytes);
    if (!connection.done) await connection.send('0\r\n\r\n');
    return { answer: await connection.answer(), sent };
  } finally {
    connection.close();
  }
}

const refresh = 'POST /api/v1/auth/refresh HTTP/1.1';
const authorized = `\r\nAuthorization: User ${user.token}`;
const multipart = '\r\nContent-Type: multipart/form-data; boundary=b';
const urlencoded = '\r\nContent-Type: application/x-www-form-urlencoded';
const json = '\r\nContent-Type: application/json';
const field = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';

describe('an endless body is 413 at its limit', () => {
  const cases: [what: string, head: string, opening: string, chunk: string][] = [
    ['in its preamble', refresh + multipart, '', 'x'],
    ['in a header', refresh + multipart, '--b\r\nX: ', 'x'],
    ['in a field', refresh + multipart, field, 'x'],
    ['in a file that is not expected', refresh + multipart, file, 'x'],
    ['in its epilogue', refresh + multipart, `${field}x\r\n--b--\r\n`, 'x'],
    ['with fields', refresh + multipart, '', `${field}\r\n`],
    ['with files', refresh + multipart, '', `${file}\r\n`],
    ['urlencoded', refresh + urlencoded, 'a=', 'x'],
    ['urlencoded, with fields', refresh + urlencoded, '', 'a=x&'],
    ['urlencoded, with nothing in it', refresh + urlencoded, '', '&'],
    ['JSON', refresh + json, '{"a":"', 'x'],
    ['JSON, nested', refresh + json, '{"a":', '['],
    ['of a GET', `GET ${user.images}/count HTTP/1.1${authorized}${multipart}`, '', 'x'],
    ['of a DELETE', `DELETE ${user.images}/x/memos/x HTTP/1.1${authorized}${json}`, '', ' '],
  ];
  for (const [what, head, opening, chunk] of cases) {
    test(what, async () => {
      const { answer, sent } = await flood(head, opening, chunk);
      assert.deepEqual([answer.status, answer.code], [413, 'upload_too_large']);
      assert.ok(sent < underWay, `${sent} MB were taken`);
    });
  }
});

test('tiny files are skipped and not kept: an upload of them is 413, without growth of memory', async (t) => {
  const memory = await PeakMemory.watch(t, started);
  const head = `POST ${user.images} HTTP/1.1${authorized}${multipart}`;
  for (let i = 0; i < 3; i += 1) {
    const { answer, sent } = await flood(head, '', `${file}\r\n`);
    assert.deepEqual([answer.status, answer.code], [413, 'upload_too_large']);
    assert.ok(sent < underWay, `${sent} MB were taken`);
  }
  const { before, peak } = await memory.stop();
  assert.ok(peak - before < flat, `${before} MB grew to ${peak} MB`);
  assert.equal((await started.client.raw('GET', '/readyz')).status, 200);
});
