import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { minuteMs } from '../../src/base/units.js';
import { run } from '../../src/base/os/run.js';
import { appliance } from '../../testkit/appliance.js';

// The service and the checks run in separate processes, as with "npm run contract": node:test tracks
// every promise of its process, which would cost as much as the checks themselves.

const script = fileURLToPath(new URL('../../contract/run.js', import.meta.url));
const flags = ['--timezone', 'Asia/Seoul', '--log-level', 'error'];
const target = await appliance({ after }, { args: flags });
const { adminToken: token } = target.world;
const contract = (...words: string[]): ReturnType<typeof run> =>
  run(process.execPath, [script, '--base', target.client.base, '--keep', ...words], {
    env: { ADMIN_TOKEN: token },
    timeoutMs: 45 * minuteMs,
  });
const { code, stdout, output } = await contract();

/** The output of each area begins with its name; its checks and failures are indented. */
const areas = stdout.split(/^(?=\S)/m).map((text) => text.split('\n'));

for (const [name = '', ...lines] of areas) {
  const checks = lines.filter((line) => /^ {2}[✔✖] /.test(line));
  if (checks.length === 0) continue;
  test(`${name}: ${checks.length} checks`, () => {
    const wrong = lines.slice(lines.findIndex((line) => line.startsWith('  ✖ ')));
    assert.ok(!checks.some((line) => line.startsWith('  ✖ ')), wrong.join('\n'));
  });
}

test('all checks pass', () => assert.equal(code, 0, output));

test('only the checks that are named run', async () => {
  const named = await contract('--only', 'is revalidated cheaply');
  assert.equal(named.code, 0, named.output);
  assert.match(named.stdout, /^\d passed, 0 failed$/m);
  const unknown = await contract('--only', 'no such words');
  assert.equal(unknown.code, 2);
  assert.match(unknown.output, /no such words/);
});
