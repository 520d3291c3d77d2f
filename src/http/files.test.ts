import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore, type LocalHarness } from '../../testkit/store/local-harness.js';

const size = 1000;
const bytes = randomBytes(size);

const codeOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { code: string } }).error.code;

describe('signed URLs over HTTP', () => {
  let harness: LocalHarness;
  let key: string;
  let signedUrl: string;
  before(async () => {
    harness = await makeLocalStore();
    key = await putBytes(harness, bytes);
    signedUrl = harness.store.sign(key);
  });
  after(() => harness.cleanup());

  const request = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    harness.fetch(signedUrl, { headers, method });

  it('return the whole object with headers that keep browsers safe', async () => {
    const answer = await request({});
    assert.equal(answer.status, 200);
    const { headers } = answer;
    assert.equal(headers.get('content-type'), 'image/jpeg');
    assert.equal(headers.get('content-length'), String(size));
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.ok(Date.parse(headers.get('last-modified') ?? '') <= Date.now());
    const [, age] =
      /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '') ?? [];
    assert.ok(
      Number(age) >= harness.ttlSeconds - 5 && Number(age) <= harness.ttlSeconds * 1.25,
      age,
    );
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  });

  it('answer HEAD like GET, without the body', async () => {
    const head = await request({}, 'HEAD');
    const whole = await request({});
    await whole.arrayBuffer();
    assert.equal(head.status, 200);
    for (const name of [
      'content-length',
      'content-type',
      'etag',
      'last-modified',
      'accept-ranges',
    ]) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name);
    }
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    assert.equal((await request({ range: 'bytes=0-1' }, 'HEAD')).status, 200);
  });

  const ranges: [range: string, start: number, end: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 999],
    ['bytes=990-', 990, 999],
    ['bytes=500-5000', 500, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-5000', 0, 999],
  ];
  for (const [range, start, end] of ranges) {
    it(`answer ${range} with 206`, async () => {
      const answer = await request({ range });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${size}`);
      assert.equal(answer.headers.get('content-length'), String(end - start + 1));
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes.subarray(start, end + 1));
    });
  }

  for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
    it(`answer ${range} with 416`, async () => {
      const answer = await request({ range });
      assert.equal(answer.status, 416);
      assert.equal(answer.headers.get('content-range'), `bytes */${size}`);
      assert.equal(await codeOf(answer), 'range_not_satisfiable');
    });
  }

  for (const range of [
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes',
    'bytes=a-b',
    'bytes=-',
    'bytes=5-4',
    '',
  ]) {
    it(`answer a range of "${range}" with the whole object`, async () => {
      const answer = await request({ range });
      assert.equal(answer.status, 200);
      assert.equal((await answer.arrayBuffer()).byteLength, size);
    });
  }

  it('serve an empty object', async () => {
    const empty = harness.store.sign(await putBytes(harness, ''));
    const answer = await harness.fetch(empty);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-length'), '0');
    assert.equal((await harness.fetch(empty, { headers: { range: 'bytes=0-' } })).status, 416);
  });

  it('honor conditional headers', async () => {
    const { headers } = await request({}, 'HEAD');
    const etag = headers.get('etag') ?? '';
    const modified = headers.get('last-modified') ?? '';
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    const [day = '', date, month, year = '', time] = new Date(modified).toUTCString().split(/,? /);
    const weekday = new Date(modified).toLocaleDateString('en', {
      weekday: 'long',
      timeZone: 'UTC',
    });
    const obsolete = `${weekday}, ${date}-${month}-${year.slice(2)} ${time} GMT`;
    const asctime = `${day} ${month} ${date} ${time} ${year}`;
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': '"other"', 'if-modified-since': modified }, 200],
      [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': earlier }, 200],
      [{ 'if-modified-since': 'no date' }, 200],
      [{ 'if-modified-since': String(new Date().getUTCFullYear() + 1) }, 200],
      [{ 'if-modified-since': obsolete }, 304],
      [{ 'if-modified-since': asctime }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `"other", ${etag}`, 'if-unmodified-since': earlier }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-match': '"other"', 'if-none-match': etag }, 412],
      [{ 'if-match': '"other"', range: 'bytes=5000-' }, 412],
      [{ 'if-match': etag, 'if-none-match': etag }, 304],
      [{ 'if-unmodified-since': modified }, 200],
      [{ 'if-unmodified-since': earlier }, 412],
      [{ 'if-unmodified-since': 'no date' }, 200],
      [{ 'if-range': obsolete, range: 'bytes=0-1' }, 206],
      [{ 'if-range': `W/${etag}`, range: 'bytes=0-1' }, 200],
      [{ 'if-range': 'no date', range: 'bytes=0-1' }, 200],
      [{ range: 'BYTES=0-1' }, 206],
      [{ 'if-range': etag, range: 'bytes=0-1' }, 206],
      [{ 'if-range': modified, range: 'bytes=0-1' }, 206],
      [{ 'if-range': '"other"', range: 'bytes=0-1' }, 200],
      [{ 'if-range': earlier, range: 'bytes=0-1' }, 200],
      [{ 'if-range': '"other"', range: 'bytes=5000-' }, 200],
    ];
    for (const [headers, status] of cases) {
      const answer = await request(headers);
      await answer.arrayBuffer();
      assert.equal(answer.status, status, JSON.stringify(headers));
      if (status === 304) assert.equal(answer.headers.get('etag'), etag);
    }
  });

  it('reject URLs that were not issued, however they are formed', async () => {
    const query = signedUrl.slice(signedUrl.indexOf('?'));
    for (const path of [
      `/files/${key}`,
      `/files/${key}?exp=1&sig=x`,
      `/files/${key}${query}&exp=1`,
      `/files/${key.replaceAll('/', '%2F')}${query}`,
      `/files/..%2f..%2fetc/passwd${query}`,
      `/files/x/../${key}x${query}`,
      `/files/${key}%00${query}`,
    ]) {
      const answer = await harness.fetch(path);
      assert.equal(answer.status, 403, path);
      assert.equal(await codeOf(answer), 'forbidden');
    }
  });
});
