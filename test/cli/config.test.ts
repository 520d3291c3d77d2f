import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { newHome } from '../../testkit/command.js';
import type { Failure, RunOptions } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import type { Home } from '../../src/config/home.js';
import type { Scope } from '../../testkit/scope.js';

type Shown = Record<string, { value: unknown; source: string }>;

async function homeWith(scope: Scope, yaml: string): Promise<Home> {
  const home = await newHome(scope);
  await mkdir(home.dir);
  await writeFile(home.configFile, yaml);
  return home;
}

const show = async (home: Home, flags: string[] = [], options: RunOptions = {}): Promise<Shown> => {
  const ran = await hosted(['config', 'show', '--home', home.dir, '--json', ...flags], options);
  assert.equal(ran.code, 0, ran.stdout);
  return ran.json<Shown>();
};

describe('imgstore config', { concurrency: 2 }, () => {
  test('a flag overrides the environment, which overrides the file, which overrides the default', async (t) => {
    const home = await homeWith(t, 'port: 1001\nhost: 127.0.0.9\nlog.level: warn\n');
    const env = { IMGSTORE_PORT: '1002', IMGSTORE_HOST: '127.0.0.2', IMGSTORE_LOG_LEVEL: '' };
    const shown = await show(home, ['--port', '1003'], { env });
    assert.deepEqual(shown.port, { value: 1003, source: 'flag' });
    assert.deepEqual(shown.host, { value: '127.0.0.2', source: 'environment' });
    assert.deepEqual(shown['log.level'], { value: 'warn', source: 'file' });
    assert.deepEqual(shown['log.format'], { value: 'text', source: 'default' });
  });

  test('nested keys and lists of the file are read', async (t) => {
    const home = await homeWith(
      t,
      'cors:\n  origins: ["https://a.example", "https://b.example"]\n',
    );
    const shown = await show(home);
    const value = ['https://a.example', 'https://b.example'];
    assert.deepEqual(shown['cors.origins'], { value, source: 'file' });
  });

  test('IMGSTORE_HOME is the home unless a flag says otherwise', async (t) => {
    const home = await homeWith(t, 'port: 1001\n');
    const { json } = await hosted(['config', 'show', '--json'], {
      env: { IMGSTORE_HOME: home.dir },
    });
    assert.deepEqual(json<Shown>().port, { value: 1001, source: 'file' });
  });

  test('the file may be elsewhere: --config, and IMGSTORE_CONFIG for the home of IMGSTORE_HOME', async (t) => {
    const home = await homeWith(t, 'port: 1001\n');
    const elsewhere = (await homeWith(t, 'port: 1002\n')).configFile;
    const third = (await homeWith(t, 'port: 1003\n')).configFile;
    const other = await homeWith(t, 'port: 1004\n');
    const env = { IMGSTORE_HOME: home.dir, IMGSTORE_CONFIG: elsewhere };
    const portOf = async (...args: string[]): Promise<unknown> =>
      (await hosted(['config', 'show', '--json', ...args], { env })).json<Shown>().port?.value;
    assert.equal(await portOf(), 1002);
    assert.equal(await portOf('--home', `${home.dir}/`), 1002);
    assert.equal(await portOf('--config', third), 1003);
    assert.equal(await portOf('--home', other.dir), 1004);
    assert.equal(await portOf('--home', other.dir, '--config', third), 1003);
  });

  test('secrets are hidden, in both forms', async (t) => {
    const home = await homeWith(t, 'database.url: postgresql://me:sEcReT@db/x\n');
    assert.deepEqual((await show(home))['database.url'], { value: '(secret)', source: 'file' });
    const { stdout } = await hosted(['config', 'show', '--home', home.dir]);
    assert.match(stdout, /^database\.url +\(secret\) +file$/m);
    assert.ok(!stdout.includes('sEcReT'));
  });

  test('check reports missing S3 settings, and a missing secret file', async (t) => {
    const home = await homeWith(t, 's3.endpoint: https://s3.example\ns3.bucket: pictures\n');
    const check = ['config', 'check', '--home', home.dir, '--json'];
    const lacking = (await hosted(check)).json<Failure>().error;
    assert.equal(lacking.exit_code, 78);
    assert.equal(lacking.setting, 's3.access_key, s3.secret_key');
    const env = { IMGSTORE_S3_SECRET_KEY_FILE: `${home.dir}/none` };
    const unreadable = (await hosted(check, { env })).json<Failure>().error;
    assert.match(unreadable.message, /IMGSTORE_S3_SECRET_KEY_FILE: ENOENT/);
  });

  test('check reports all mistakes at once, with key, value, and remedy', async (t) => {
    const home = await homeWith(t, 'limits.max_upload_mb: none\nprot: 80\ndatabase.url: sEcReT\n');
    const args = ['config', 'check', '--home', home.dir, '--timezone', 'Mars/Olympus'];
    const env = { IMGSTORE_PORT: '70000' };
    const ran = await hosted([...args, '--json'], { env });
    assert.equal(ran.code, 78);
    const { error } = ran.json<Failure>();
    assert.equal(error.exit_code, 78);
    assert.match(error.message, /^5 settings are invalid:/);
    assert.match(error.message, /IMGSTORE_PORT: "70000" must be a whole number from 0 to 65535/);
    assert.match(error.message, /--timezone: "Mars\/Olympus" must be an IANA time zone/);
    assert.match(error.message, /limits\.max_upload_mb in .*config\.yaml: "none" must be a number/);
    assert.match(error.message, /prot in .*config\.yaml: unknown setting/);
    assert.match(error.message, /database\.url in .*: its value must be a URL/);
    assert.ok(!ran.stdout.includes('sEcReT'));
    assert.match(error.remedy ?? '', /config check/);

    const people = await hosted(args, { env });
    assert.equal(people.code, 78);
    assert.equal(people.stdout, '');
    assert.match(people.stderr, /^Error: 5 settings are invalid:/);
    assert.match(people.stderr, /^ {2}Remedy: /m);
  });

  test('check accepts a valid file, and reports one that is not YAML', async (t) => {
    const home = await homeWith(t, '# nothing\n');
    const good = await hosted(['config', 'check', '--home', home.dir, '--json']);
    assert.equal(good.code, 0);
    assert.deepEqual(good.json(), { ok: true, file: home.configFile });
    await writeFile(home.configFile, 'port: [1,\n');
    const bad = await hosted(['config', 'check', '--home', home.dir, '--json']);
    assert.equal(bad.code, 78);
    assert.ok(bad.json<Failure>().error.message.includes(home.configFile));
  });

  test('serve with an invalid configuration exits with 78 before it does anything', async (t) => {
    const home = await homeWith(t, 'port: many\n');
    const { code, json } = await hosted(['serve', '--home', home.dir, '--json']);
    assert.equal(code, 78);
    assert.match(json<Failure>().error.message, /port in .*: "many" must be/);
  });
});
