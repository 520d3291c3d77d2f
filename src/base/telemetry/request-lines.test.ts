import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, logOutput } from './logger.js';
import { createRequestLines, type RequestEntry } from './request-lines.js';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-bmF0_dXJl';
const plain: RequestEntry = {
  method: 'GET',
  path: '/files/0199/thumb.jpg',
  status: 200,
  ms: 3,
  bytes: 1234,
  client: '192.0.2.7',
  id: '01a201a6-4b30-7368-8d79-37111a4a359b',
  user: undefined,
  platform: undefined,
  agent: undefined,
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
  { ...plain, agent: 'Mozilla/5.0 (X11; "Linux") status=500\u0085\n', user: '0199-user' },
  { ...plain, agent: `curl ${jwt}`, client: '2001:db8::1' },
  { ...plain, agent: '' },
];

/** What is written to the log, with all timestamps replaced. */
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
    const log = createRequestLines(logger, format);
    for (const entry of entries) {
      const given = Object.entries(entry).filter(([, value]) => value !== undefined);
      const expected = await written(() => logger.info('request', Object.fromEntries(given)));
      assert.equal(await written(() => log(entry)), expected);
      assert.match(expected, /TIME/);
    }
  });
}

test('the level decides whether requests are logged; probes are logged at debug', async () => {
  const logger = { level: 'error' };
  const log = createRequestLines(logger, 'json');
  const logs = async (path: string): Promise<string> => {
    const said = await written(() => log({ ...plain, path }));
    return said === '' ? '' : (JSON.parse(said) as { level: string }).level;
  };
  for (const [level, request, probe] of [
    ['error', '', ''],
    ['warn', '', ''],
    ['info', 'info', ''],
    ['debug', 'info', 'debug'],
    ['info', 'info', ''],
  ] as const) {
    logger.level = level; // while it runs
    assert.equal(await logs('/livezoo'), request, level);
    assert.equal(await logs('/livez'), probe, level);
    assert.equal(await logs('/readyz/'), probe, level);
  }
});

test('lines of requests and of the logger keep their order', async () => {
  const logger = createLogger({ level: 'info', format: 'json' });
  const log = createRequestLines({ level: 'info' }, 'json');
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

test('collected lines can be flushed before the process ends', async () => {
  const log = createRequestLines({ level: 'info' }, 'json');
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
