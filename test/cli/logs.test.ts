import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { serve } from '../../testkit/appliance.js';

type Line = Record<string, unknown> & { readonly message: string };

test('the log has caller and request, at a level that can change at run time, until the service ends', async (t) => {
  const { home } = await initializedHome(t);
  const flags = ['--workers', '2', '--trust-proxy', '1', '--log-format', 'json'];
  const serving = await serve(t, home, flags);
  const lines = (): Line[] =>
    serving.log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const requests = (path: string): Line[] => lines().filter((line) => line.path === path);
  const level = async (...args: string[]) => {
    const ran = await hosted(['logs', 'level', ...args, '--home', home.dir, '--json']);
    assert.equal(ran.code, 0, ran.stdout);
    return ran.json<{ level: string; configured: string }>();
  };
  const ask = async (path: string): Promise<number> => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1', 'user-agent': 'camera/2 (x)' };
    const answer = await fetch(serving.url + path, { headers });
    return (await answer.arrayBuffer()).byteLength;
  };

  const body = await ask('/api/v1/openapi.json?secret=1');
  await eventually('it is logged', async () => requests('/api/v1/openapi.json').length === 1);
  const [request] = requests('/api/v1/openapi.json');
  assert.deepEqual([request?.client, request?.agent], ['192.0.2.1', 'camera/2 (x)']);
  const bytes = Number(request?.bytes);
  assert.ok(bytes > body && bytes < body + 1_000, `${bytes} bytes with a body of ${body}`);
  assert.equal(typeof request?.ms, 'number');

  await ask('/livez');
  await ask('/readyz');
  assert.deepEqual([requests('/livez'), requests('/readyz')], [[], []]);
  assert.deepEqual(await level(), { level: 'info', configured: 'info' });
  assert.deepEqual(await level('debug'), { level: 'debug', configured: 'info' });
  const switched = (to: string): number => lines().filter((line) => line.to === to).length;
  await eventually('all three processes switch', async () => switched('debug') === 3);
  await ask('/livez');
  await eventually('a probe is logged', async () => requests('/livez').length === 1);
  assert.equal(requests('/livez')[0]?.level, 'debug');
  assert.equal((await level('default')).level, 'info');
  await eventually('all three switch back', async () => switched('info') === 3);

  assert.equal(await serving.end(), 0);
  const last = lines().slice(-2);
  assert.deepEqual(
    last.map(({ message }) => message),
    ['stopping: finishing running requests', 'stopped'],
  );
  const late = await hosted(['logs', 'level', 'debug', '--home', home.dir, '--json']);
  assert.equal(late.code, 1);
  assert.match(late.json<Failure>().error.remedy ?? '', /config set log\.level debug/);
  assert.equal((await hosted(['logs', 'level', 'loud', '--home', home.dir])).code, 2);
});
