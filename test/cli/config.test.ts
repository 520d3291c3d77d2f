import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { asSuperuser, superuser } from '../../src/database/postgres/connect.js';
import { fails, imgstore, newHome, program, type Failure } from '../../testkit/command.js';
import { databaseOn, testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { needs, programs } from '../../testkit/programs.js';
import { writeConfig } from '../../src/ops/home.js';
import { homeWith, show, type Shown } from './config-home.js';

describe('imgstore config', { concurrency: 2 }, () => {
  test('a flag overrides the environment, which overrides the file, which overrides the default', async (t) => {
    const home = await homeWith(t, 'port: 1001\nhost: 127.0.0.9\nlog.level: warn\n');
    const env = { IMGSTORE_PORT: '1002', IMGSTORE_HOST: '127.0.0.2', IMGSTORE_LOG_LEVEL: '' };
    const shown = await show(home, ['--port', '1003'], { env });
    assert.deepEqual(shown.port, { value: 1003, source: 'flag' });
    assert.deepEqual(shown.host, { value: '127.0.0.2', source: 'environment' });
    assert.deepEqual(shown['log.level'], { value: 'warn', source: 'file' });
    assert.deepEqual(shown['log.format'], { value: 'json', source: 'default' });
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
    await fails(hosted(check, { env }), 78, { setting: 'IMGSTORE_S3_SECRET_KEY_FILE' });
  });

  test('check reports all mistakes at once, with key, value, and remedy', async (t) => {
    const home = await homeWith(t, 'limits.max_upload_mb: none\nprot: 80\ndatabase.url: sEcReT\n');
    const args = ['config', 'check', '--home', home.dir, '--timezone', 'Mars/Olympus'];
    const env = { IMGSTORE_PORT: '70000' };
    const ran = await hosted([...args, '--json'], { env });
    const error = await fails(ran, 78, { remedy: 'config check' });
    assert.ok(!ran.stdout.includes('sEcReT'));
    const listed = error.mistakes?.map(({ setting, source, line }) => [setting, source, line]);
    assert.deepEqual(listed, [
      ['prot', 'file', 2],
      ['IMGSTORE_PORT', 'environment', undefined],
      ['--timezone', 'flag', undefined],
      ['database.url', 'file', 3],
      ['limits.max_upload_mb', 'file', 1],
    ]);
    for (const { setting, source, message } of error.mistakes ?? []) {
      assert.ok(error.message.includes(message));
      assert.ok(message.startsWith(setting), message);
      if (source === 'file') assert.ok(message.includes(home.configFile), message);
    }
    for (const shown of ['"70000"', '"Mars/Olympus"', '"none"', 'port?']) {
      assert.ok(error.message.includes(shown), error.message);
    }

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
    const serving = hosted(['serve', '--home', home.dir, '--json']);
    await fails(serving, 78, { setting: 'port', about: '"many"' });
  });

  test('mistakes only on the command line are usage errors: 2', async (t) => {
    const home = await homeWith(t, 'port: 1001\n');
    const check = ['config', 'check', '--home', home.dir, '--port', 'abc'];
    await fails(hosted([...check, '--json']), 2, { setting: '--port', about: '"abc"' });
    await writeFile(home.configFile, 'port: many\nlog.level: loud\n');
    assert.equal((await hosted(check)).code, 78);
  });

  test('a missing home or named file: 78, with the command that creates it', async (t) => {
    const home = await newHome(t);
    for (const args of [['status'], ['config', 'show'], ['platform', 'list'], ['serve']]) {
      const ran = await hosted([...args, '--json', '--home', home.dir]);
      const { exit_code, setting, remedy } = ran.json<Failure>().error;
      assert.deepEqual([exit_code, setting], [78, 'home'], args.join(' '));
      assert.equal(remedy, `imgstore init --home ${home.dir}`);
    }
    await mkdir(home.dir);
    const named = ['config', 'check', '--home', home.dir, '--json'];
    const file = `${home.dir}/elsewhere.yaml`;
    for (const ran of [
      await hosted([...named, '--config', file]),
      await hosted(named.slice(0, 2).concat('--json'), {
        env: { IMGSTORE_HOME: home.dir, IMGSTORE_CONFIG: file },
      }),
    ]) {
      const { exit_code, setting, remedy } = ran.json<Failure>().error;
      assert.deepEqual([exit_code, setting], [78, 'config']);
      assert.ok(remedy?.endsWith(`imgstore init --home ${home.dir} --config ${file}`));
    }
  });

  test('a named file is sufficient for commands that only read settings', async (t) => {
    const { configFile } = await homeWith(t, 'port: 1002\n');
    const home = await newHome(t);
    const at = ['--home', home.dir, '--config', configFile];
    assert.equal((await hosted(['config', 'get', 'port', ...at])).stdout, '1002\n');
    const proxy = await hosted(['proxy-config', 'nginx', ...at]);
    assert.match(proxy.stdout, /127\.0\.0\.1:1002/);
  });

  test('an unknown IMGSTORE variable is warned about, once', async (t) => {
    const home = await homeWith(t, '# nothing\n');
    const env = {
      IMGSTORE_PROT: '80',
      IMGSTORE_ELEPHANT: '1',
      IMGSTORE_MASTER_KEY_FILE: '',
      IMGSTORE_S3_SECRET_KEY_FILE: '',
    };
    const ran = await hosted(['config', 'check', '--home', home.dir, '--json'], { env });
    assert.equal(ran.code, 0);
    assert.deepEqual(ran.stderr.split('\n'), [
      'Warning: The environment variable IMGSTORE_ELEPHANT is not used.',
      'Warning: The environment variable IMGSTORE_PROT is not used; did you mean IMGSTORE_PORT?',
      '',
    ]);
  });

  test('a setting that retires works, says what applies without it, and is listed nowhere', async (t) => {
    const home = await homeWith(t, 'limits:\n  max_memos: 7\n');
    const on = ['--home', home.dir];
    const told = await hosted(['config', 'get', 'limits.max_memos', ...on]);
    assert.equal(told.stdout, '7\n');
    const place = `limits.max_memos in ${home.configFile}, line 2`;
    assert.ok(told.stderr.startsWith(`Warning: ${place} goes with imgstore 0.5: 1,000 memos`));
    const set = await hosted(['config', 'set', 'limits.max_memos', '6', ...on]);
    assert.match(set.stderr, /^Warning: limits\.max_memos goes with imgstore 0\.5: 1,000 memos/m);
    const flagged = await hosted(['config', 'check', '--imaging-queue-limit', 'many', ...on]);
    assert.match(flagged.stderr, /--imaging-queue-limit: "many" must be/);
    for (const words of [
      ['config', 'show'],
      ['help', 'settings'],
    ]) {
      const { stdout } = await hosted([...words, ...on]);
      assert.match(stdout, /limits.max_text_mb/);
      assert.doesNotMatch(stdout, /limits.max_memos|queue/);
    }
    const fresh = await newHome(t);
    const chosen = { 'limits.max_memos': 9 } as const;
    await mkdir(fresh.dir);
    assert.equal(await writeConfig(fresh, chosen), true);
    assert.match(await readFile(fresh.configFile, 'utf8'), /^limits.max_memos: 9$/m);
  });

  test('what Kubernetes says of a service of the name imgstore is no setting', async (t) => {
    const home = await homeWith(t, '# nothing\n');
    const env = {
      IMGSTORE_SERVICE_HOST: '10.0.0.1',
      IMGSTORE_SERVICE_PORT: '8080',
      IMGSTORE_SERVICE_PORT_HTTP: '8080',
      IMGSTORE_PORT: 'tcp://10.0.0.1:8080',
      IMGSTORE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      IMGSTORE_PORT_8080_TCP_PROTO: 'tcp',
      IMGSTORE_PORT_8080_TCP_PORT: '8080',
      IMGSTORE_PORT_8080_TCP_ADDR: '10.0.0.1',
      IMGSTORE_METRICS_PORT: 'tcp://10.0.0.2:9090',
      IMGSTORE_METRICS_SERVICE_HOST: '10.0.0.2',
    };
    const ran = await hosted(['config', 'check', '--home', home.dir, '--json'], { env });
    assert.deepEqual([ran.code, ran.stderr], [0, '']);
    const wrong = await hosted(['config', 'check', '--home', home.dir, '--json'], {
      env: { IMGSTORE_PORT: 'http://10.0.0.1:8080' },
    });
    assert.equal(wrong.code, 78);
  });

  test('durations are shown as written', async (t) => {
    const home = await homeWith(t, 'tokens.user_ttl: 48h\nsigned_url_ttl: 3600\n');
    const shown = await show(home);
    assert.equal(shown['tokens.platform_ttl']?.value, '90d');
    assert.equal(shown['tokens.user_ttl']?.value, '48h');
    assert.equal(shown.signed_url_ttl?.value, '1h');
    const { stdout } = await hosted(['config', 'show', '--home', home.dir]);
    assert.match(stdout, /^tokens\.refresh_ttl +180d +default$/m);
  });

  test('set writes one setting and keeps comments, permissions and everything else', async (t) => {
    const home = await homeWith(t, '# mine\nport: 1001 # of the office\n\nlog:\n  level: warn\n');
    const at = ['--home', home.dir];
    const set = (...args: string[]) => hosted(['config', 'set', ...args, ...at]);
    await chmod(home.configFile, 0o640);
    const said = await set('port', '1002');
    assert.equal(said.stdout, `port is now 1002 in ${home.configFile}.\n`);
    assert.equal((await set('log.level', 'debug')).code, 0);
    assert.equal((await set('tokens.user_ttl', '48h')).code, 0);
    const text = await readFile(home.configFile, 'utf8');
    assert.equal(
      text,
      '# mine\nport: 1002 # of the office\n\nlog:\n  level: debug\ntokens.user_ttl: 48h\n',
    );
    assert.equal((await stat(home.configFile)).mode & 0o777, 0o640);
    assert.equal((await hosted(['config', 'get', 'log.level', ...at])).stdout, 'debug\n');
    assert.equal((await hosted(['config', 'path', ...at])).stdout, `${home.configFile}\n`);
    assert.deepEqual(
      [(await set('port', 'abc')).code, (await set('prot', '1')).code, (await set('a')).code],
      [2, 2, 2],
    );
    assert.match((await set('prot', '1')).stderr, /no setting prot; did you mean port\?/);
    assert.equal(await readFile(home.configFile, 'utf8'), text);
  });

  test('set keeps a link, and a file that is mounted', async (t) => {
    const home = await homeWith(t, 'port: 1001\n');
    const target = join(home.dir, 'target.yaml');
    await rename(home.configFile, target);
    await symlink(target, home.configFile);
    const words = ['config', 'set', 'port', '1002', '--home', home.dir, '--json'];
    assert.equal((await hosted(words)).code, 0);
    assert.equal(await readlink(home.configFile), target);
    assert.match(await readFile(target, 'utf8'), /^port: 1002$/m);
    if ((await needs(programs.bubblewrap)).skip) return;
    await rm(home.configFile);
    await writeFile(home.configFile, '');
    const mounted = ['--dev-bind', '/', '/', '--bind', target, home.configFile, program];
    const set = [...words.map((word) => (word === '1002' ? '3' : word))];
    const ran = await imgstore([...mounted, ...set], { installed: 'bwrap' });
    assert.equal(ran.code, 0, ran.stdout);
    assert.equal(await readFile(target, 'utf8'), 'port: 3\n', 'shorter than before');
    assert.deepEqual(
      (await readdir(home.dir)).filter((name) => name.endsWith('.new')),
      [],
    );
  });

  test('set tries on the database what it must understand; without an answer, it warns', async (t) => {
    const { url } = await testDatabase(t);
    // As where its machine lacks a zone: Debian leaves some out, others are new.
    await asSuperuser(url.replace(/\/\/[^:@]+/, `//${superuser}`), [
      'SET allow_system_table_mods = on',
      'ALTER FUNCTION pg_catalog.timezone(text, timestamptz) RENAME TO own_timezone',
      `CREATE FUNCTION pg_catalog.timezone(text, timestamptz) RETURNS timestamp
       LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN
         IF $1 = 'Asia/Kolkata' THEN RAISE invalid_parameter_value; END IF;
         RETURN own_timezone($1, $2);
       END $$`,
    ]);
    const file = `database.url: ${url}\ntimezone: Asia/Kolkata\n`;
    const home = await homeWith(t, file);
    const set = (...args: string[]) =>
      hosted(['config', 'set', ...args, '--home', home.dir, '--json']);
    await fails(set('timezone', 'Asia/Calcutta'), 78, { setting: 'timezone', about: 'Kolkata' });
    const elsewhere = databaseOn(url, 'nowhere');
    await fails(set('database.url', elsewhere), 78, { setting: 'database.url', about: 'nowhere' });
    assert.equal(await readFile(home.configFile, 'utf8'), file);

    const taken = await set('timezone', 'Asia/Saigon');
    assert.deepEqual([taken.code, taken.stderr], [0, '']);
    assert.match(await readFile(home.configFile, 'utf8'), /^timezone: Asia\/Ho_Chi_Minh$/m);

    const down = await homeWith(t, 'database.url: postgresql://me@127.0.0.1:1/none\n');
    const warned = await hosted(['config', 'set', 'timezone', 'Asia/Calcutta', '--home', down.dir]);
    assert.equal(warned.code, 0, warned.stderr);
    assert.match(
      warned.stderr,
      /^Warning: Whether the database understands timezone .*127\.0\.0\.1/,
    );
    assert.match(await readFile(down.configFile, 'utf8'), /^timezone: Asia\/Kolkata$/m);
  });

  test('set without a value, and with none on stdin: 2, with the right call', async (t) => {
    const home = await homeWith(t, 'port: 1001\n');
    for (const [key, right] of [
      ['log.level', 'config set log.level VALUE'],
      ['port', 'config set port VALUE'],
      ['s3.secret_key', 'config set s3.secret_key < FILE'],
    ] as const) {
      const setting = imgstore(['config', 'set', key, '--home', home.dir, '--json']);
      await fails(setting, 2, { setting: key, about: key, remedy: right });
    }
    assert.equal(await readFile(home.configFile, 'utf8'), 'port: 1001\n');
  });

  test('set reads secrets only from stdin, and creates a missing file', async (t) => {
    const home = await newHome(t);
    await mkdir(home.dir);
    const set = ['config', 'set', 's3.secret_key', '--home', home.dir];
    const refused = await hosted([...set, 'sEcReT', '--json']);
    await fails(refused, 2, { remedy: 'config set s3.secret_key < FILE' });
    const taken = await imgstore(set, { input: 'sEcReT\n' });
    assert.equal(taken.code, 0, taken.stderr);
    assert.ok(!taken.stdout.includes('sEcReT'));
    const get = await hosted(['config', 'get', 's3.secret_key', '--home', home.dir]);
    assert.equal(get.stdout, 'sEcReT\n');
    assert.equal((await stat(home.configFile)).mode & 0o777, 0o600);
  });
});
