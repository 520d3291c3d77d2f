import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.js';
import { logOutput } from './log-output.js';
import { createRequestLines } from './request-lines.js';
import type { RequestEntry } from './request-lines.js';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-bmF0_dXJl';
const plain: RequestEntry = {
  method: 'GET',
  path: '/files/0199/thumb.jpg',
  status: 200,
  ms: 3,
  id: '01a201a6-4b30-7368-8d79-37111a4a359b',
  user: undefined,
  platform: undefined,
};
const entries: readonly RequestEntry[] = [
  plain,
  { ...plain, status: 'aborted', ms: 0, method: 'PUT' },
  { ...plain, user: '0199-user', platform: '0199-platform' },
  { ...plain, platform: '0199-platform' },
  { ...plain, path: `/api/${jwt}/x`, id: jwt },
  { ...plain, path: '/a&sig=abc/http://me:secret@host/?sig=x' },
  { ...plain, path: '/"quotes"\\and\u0085\u009b\u2028é여행' },
  { ...plain, path: '*', id: 'a.b:c-d_e' },
];

/** What is written to the log, with every time alike. */
async function written(act: () => void): Promise<string> {
  const write = process.stderr.write.bind(process.stderr);
  let said = '';
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    said += String(chunk);
    return true;
  };
  try {
    act();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.stderr.write = write;
  }
  return said.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
}

for (const format of ['json', 'text'] as const) {
  test(`requests are logged as the logger would, in ${format}`, async () => {
    const logger = createLogger({ level: 'info', format });
    const log = createRequestLines({ level: 'info', format });
    for (const entry of entries) {
      const given = Object.entries(entry).filter(([, value]) => value !== undefined);
      const expected = await written(() => logger.info('request', Object.fromEntries(given)));
      assert.equal(await written(() => log(entry)), expected);
      assert.match(expected, /TIME/);
    }
  });
}

test('the level decides whether requests are logged', async () => {
  for (const [level, logged] of [
    ['error', false],
    ['warn', false],
    ['info', true],
    ['debug', true],
  ] as const) {
    const log = createRequestLines({ level, format: 'json' });
    assert.equal((await written(() => log(plain))) !== '', logged, level);
  }
});

test('lines of requests and of the logger keep their order', async () => {
  const logger = createLogger({ level: 'info', format: 'json' });
  const log = createRequestLines({ level: 'info', format: 'json' });
  const said = await written(() => {
    log({ ...plain, ms: 1 });
    logger.warn('between');
    log({ ...plain, ms: 2 });
    logger.error('after');
    log({ ...plain, ms: 3 });
  });
  const order = said
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { message, ms } = JSON.parse(line) as { message: string; ms?: number };
      return ms ?? message;
    });
  assert.deepEqual(order, [1, 'between', 2, 'after', 3]);
});

test('what was collected can be written before the process ends', async () => {
  const log = createRequestLines({ level: 'info', format: 'json' });
  let early = '';
  await written(() => {
    const intercepted = process.stderr.write.bind(process.stderr);
    process.stderr.write = (chunk: string | Uint8Array): boolean => {
      early += String(chunk);
      return intercepted(chunk);
    };
    log(plain);
    assert.equal(early, '');
    logOutput.flush();
  });
  assert.match(early, /"message":"request"/);
});
