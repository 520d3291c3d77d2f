import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DataSourceOptions } from 'typeorm';
import { row } from '../../src/database/sql.js';
import { run } from '../../src/base/os/run.js';
import { longForm, longOnly } from '../../testkit/long-form.js';
import { ownService } from '../../testkit/service.js';

const script = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [fileURLToPath(new URL(`../../${name}.js`, import.meta.url)), ...args], {
    env,
  });

test('scripts print their usage, and refuse unknown options', async () => {
  const others = ['soak', 'failover', 'bench', 'versions', 'resumable', 'backups', 'evidence'];
  for (const name of [
    'contract/run',
    'bench/seed',
    ...(longForm ? others : []).map((name) => `bench/${name}`),
  ]) {
    const help = await script(name, ['--help']);
    assert.deepEqual([help.code, help.stdout.split(':')[0]], [0, 'Usage'], name);
    const wrong = await script(name, ['--bogus']);
    assert.equal(wrong.code, 2, name);
    assert.match(wrong.output, /Unknown option '--bogus'[^]*Usage: /);
  }
});

test('the token comes from a variable that npm does not print; an unreachable server is 69', async () => {
  const base = ['--base', 'http://127.0.0.1:9'];
  for (const name of ['contract/run', ...(longForm ? ['bench/soak'] : [])]) {
    const without = await script(name, base);
    assert.equal(without.code, 2);
    assert.match(without.output, /There is no admin token\.[^]*ADMIN_TOKEN=TOKEN npm run/);
    const away = await script(name, base, { ADMIN_TOKEN: 'x' });
    assert.equal(away.code, 69);
    assert.match(away.output, /No server answers at http:\/\/127\.0\.0\.1:9/);
  }
});

test('seed refuses a database with other users without --yes', longOnly, async () => {
  const service = await ownService({ after });
  const { url } = service.db.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const [user] = [await service.user(), await service.user()];
  const args = ['--user', user.id, '--images', '3', '--home', service.home.dir];
  const env = { IMGSTORE_DATABASE_URL: url ?? '' };
  const images = async () =>
    (await row<{ n: number }>(service.db, 'SELECT count(*)::int AS n FROM images'))?.n;
  const refused = await script('bench/seed', args, env);
  assert.equal(refused.code, 2, refused.output);
  assert.match(refused.output, /The database has 1 other user[^]*--yes/);
  assert.equal(await images(), 0);
  const made = await script('bench/seed', [...args, '--yes'], env);
  assert.equal(made.code, 0, made.output);
  assert.equal(await images(), 3);
});
