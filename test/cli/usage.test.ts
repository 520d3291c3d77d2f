import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { imgstore, newHome, start, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import type { Scope } from '../../testkit/scope.js';
import { version } from '../../src/base/installed-files.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const commands =
  'init serve up migrate admin platform user keys status logs config proxy-config completion console database help'.split(
    ' ',
  );

/** The packages from which Node loads files for a command without its bundle, which loads the same ones. */
async function packagesOf(args: string[]): Promise<string[]> {
  const compiled = join(process.cwd(), 'dist/src/cli/main.js');
  const { stderr } = await imgstore([compiled, ...args], {
    installed: process.execPath,
    env: { NODE_DEBUG: 'esm,module' },
  });
  // Only those of this clone: Node itself may be installed as a package elsewhere.
  const ours = stderr.split(join(process.cwd(), 'node_modules/')).slice(1);
  const names = ours.map((rest) => /^(?:@[\w.-]+\/)?[\w.-]+/.exec(rest)?.[0] ?? '');
  return [...new Set(names)].sort();
}

/** A clone with only these entries: its directories, or empty files. */
async function cloneOf(scope: Scope, ...parts: string[]): Promise<string> {
  const dir = await temporaryDirectory('clone');
  scope.after(() => rm(dir, { recursive: true }));
  for (const part of ['bin', 'package.json', ...parts]) {
    await cp(part, join(dir, part), { recursive: true });
  }
  return join(dir, 'bin/imgstore');
}

describe('imgstore', { concurrency: 2 }, () => {
  test('a clone that is not built or lacks its npm packages: 78, with the command to run', async (t) => {
    const unbuilt = { installed: await cloneOf(t, 'scripts/setup.mjs') };
    const { code, stdout, stderr } = await imgstore(['status'], unbuilt);
    assert.equal(code, 78);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^Error: .* not been built .*\n {2}Remedy: {2}npm run setup \(in \/.*\)\n$/,
    );
    const { error } = (await imgstore(['status', '--json'], unbuilt)).json<Failure>();
    assert.equal(error.exit_code, 78);
    const noChunks = { installed: await cloneOf(t, 'dist/bundle/imgstore.js') };
    const noPackages = { installed: await cloneOf(t, 'dist/bundle') };
    const serving = ['serve', '--home', (await newHome(t)).dir];
    for (const [installed, args, missing] of [
      [noChunks, ['--version'], 'chunks'],
      [noPackages, serving, 'piscina'],
    ] as const) {
      const lacking = await imgstore(args, installed);
      assert.equal(lacking.code, 78);
      const said = `'.*${missing}.*'.*\\n {2}Remedy: {2}install imgstore again.*\\n$`;
      assert.match(lacking.stderr, new RegExp(`^Error: .* missing.*${said}`));
    }
  });

  test('--help lists every command, --version prints the version', async () => {
    const help = await imgstore(['--help']);
    assert.equal(help.code, 0);
    assert.equal(help.stderr, '');
    for (const command of commands) assert.match(help.stdout, new RegExp(`^ {2}${command} `, 'm'));
    assert.equal((await imgstore(['--version'])).stdout, `${version()}\n`);
  });

  test('the version, by every flag and as JSON', async () => {
    const { stdout } = await hosted(['version']);
    assert.match(stdout, /^\d+\.\d+\.\d+(-dev(\+[\da-f]{8})?)?\n$/);
    for (const flag of ['-v', '-V']) assert.equal((await hosted([flag])).stdout, stdout);
    const document = (await hosted(['version', '--json'])).json();
    assert.deepEqual(document, { version: stdout.trim() });
  });

  test('flags of a command may precede its name; the last one takes effect', async (t) => {
    const { dir, configFile } = await newHome(t);
    await mkdir(dir);
    for (const words of [
      ['--json', '--home', dir, 'config', 'check'],
      ['config', '--home', dir, '--json', 'check'],
      ['--json', '--home=/nonexistent', 'config', 'check', '--home', dir],
    ]) {
      const { code, json } = await hosted(words);
      assert.equal(code, 0);
      assert.deepEqual(json(), { ok: true, file: configFile });
    }
    const settings = await hosted(['help', 'settings', '--json']);
    const ofHome = await hosted(['--json', '--home', dir, 'help', 'settings']);
    assert.equal(ofHome.stdout, settings.stdout);
    const help = await hosted(['platform', 'create', '--help']);
    const helped = await hosted(['--yes', `--home=${dir}`, 'help', 'platform', 'create']);
    assert.equal(helped.stdout, help.stdout);
    const { code, stderr } = await hosted(['--home', 'status', '--yes', 'platform', 'token']);
    assert.equal(code, 2);
    assert.match(stderr, /missing required argument 'id'/);
    const early = await hosted(['--port', '80', 'status']);
    assert.equal(early.code, 2);
    assert.match(
      early.stderr,
      /'--port'\n\(A command's own options and settings come after its name/,
    );
  });

  test('a command accepts the flags of all settings, and lists those that affect it', async (t) => {
    const { code, stdout } = await imgstore(['serve', '--help']);
    assert.equal(code, 0);
    for (const flag of ['--home <dir>', '--json', '--init', '--port', '--log-level']) {
      assert.ok(stdout.includes(flag), flag);
    }
    assert.doesNotMatch(stdout, /--limits-/);
    assert.match(stdout, /all of them: bin\/imgstore help settings/);
    const { dir } = await newHome(t);
    await mkdir(dir);
    const check = ['config', 'check', '--home', dir];
    assert.equal((await hosted([...check, '--limits-max-memos', '3'])).code, 0);
    assert.equal((await hosted([...check, '--limits-max-memos', 'x'])).code, 2);
  });

  test('help for a command, a group, all settings, and an unknown name', async () => {
    for (const [topic, page] of [
      [
        ['platform', 'create'],
        ['platform', 'create', '--help'],
      ],
      [['platform'], ['platform', '--help']],
      [[], ['--help']],
    ] as const) {
      const { code, stdout } = await hosted(['help', ...topic]);
      assert.equal(code, 0);
      assert.equal(stdout, (await hosted(page)).stdout);
    }
    const settings = await hosted(['help', 'settings', '--json']);
    const port = settings.json<{ key: string }[]>().find(({ key }) => key === 'port');
    assert.deepEqual(port, {
      key: 'port',
      about: 'TCP port of the API; 0 picks a free one',
      flag: '--port',
      variable: 'IMGSTORE_PORT',
      values: '0–65535',
      default: '8080',
    });
    const unknown = await hosted(['help', 'bogus']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /no command "bogus"/);
  });

  test('--help loads no database client, sharp, or Express; that of one command loads at most zod', async () => {
    assert.deepEqual(await packagesOf(['--help']), ['commander']);
    assert.deepEqual(await packagesOf(['platform', 'create', '--help']), ['commander']);
    assert.deepEqual(await packagesOf(['serve', '--help']), ['commander', 'zod']);
    const loaded = await packagesOf(['config', 'show', '--home', '/']);
    assert.ok(loaded.includes('yaml'), 'this check does see what commands load');
  });

  test('wrong usage exits with 2', async () => {
    const wrong = [
      ['nonsense'],
      ['--bogus'],
      ['serve', '--bogus'],
      ['platform', 'create'],
      ['platform', 'token'],
      ['user', 'create', '--platform', 'x'],
    ];
    for (const args of wrong) {
      const people = await hosted(args);
      assert.equal(people.code, 2, args.join(' '));
      assert.equal(people.stdout, '');
      assert.match(people.stderr, /^error: .*\n(\(A command's .*\)\n)?\(usage: .* --help\)\n$/);
      const program = await hosted([...args, '--json']);
      assert.equal(program.code, 2);
      assert.equal(program.stderr, '');
      const { error } = program.json<Failure>();
      assert.equal(error.exit_code, 2);
      assert.ok(people.stderr.includes(error.message));
      assert.ok(people.stderr.endsWith(`(usage: ${error.remedy})\n`));
    }
    for (const [words, help] of [
      ['platform create', 'platform create --help'],
      ['platform', 'platform --help'],
      ['platform --bogus', 'platform --help'],
      ['logs level a b', 'logs level --help'],
      ['nonsense', '--help'],
    ] as const) {
      const { error } = (await hosted([...words.split(' '), '--json'])).json<Failure>();
      assert.equal(error.remedy, `imgstore ${help}`, words);
    }
  });

  test('older spellings are not listed, work, and say what they are now', async (t) => {
    const { dir } = await newHome(t);
    for (const [old, now] of [
      [['stats', 'verify'], 'verify accounts'],
      [['backup', 'verify', '/nowhere'], 'verify backup'],
    ] as const) {
      const ran = await hosted([...old, '--home', dir]);
      assert.match(ran.stderr, new RegExp(`This is now "${now}"`));
      const today = await hosted([...now.split(' '), ...old.slice(2), '--home', dir]);
      assert.equal(ran.code, today.code);
      assert.ok(ran.stderr.endsWith(today.stderr), ran.stderr);
    }
    assert.equal((await hosted(['stats', 'count'])).code, 2);
    assert.doesNotMatch((await hosted(['--help'])).stdout, /stats/);
    assert.doesNotMatch((await hosted(['backup', '--help'])).stdout, / verify /);
  });

  test('a command ends silently if its reader, such as head, stops reading', async (t) => {
    const home = await newHome(t);
    await mkdir(home.dir);
    for (const args of [['config', 'show', '--home', home.dir], ['nonsense']]) {
      const child = start(args);
      child.stdout.destroy();
      const said = await text(child.stderr);
      if (child.exitCode === null) await once(child, 'exit');
      assert.deepEqual(
        [child.exitCode, said.includes('EPIPE')],
        [args[0] === 'nonsense' ? 2 : 0, false],
      );
    }
  });

  test('a command group without a subcommand prints its usage and exits with 2', async () => {
    for (const args of [[], ['user']]) {
      const { code, stdout, stderr } = await imgstore(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /^Usage: bin\/imgstore/);
      assert.equal((await imgstore([...args, '--json'])).json<Failure>().error.exit_code, 2);
    }
  });

  test('without a command: the few commands that a newcomer needs, on one small screen', async () => {
    const { stderr } = await hosted([]);
    for (const command of ['up', 'status', 'doctor', 'user create', 'import', 'backup', 'help']) {
      assert.match(stderr, new RegExp(`^  ${command} +[A-Z]`, 'm'));
    }
    const lines = stderr.split('\n');
    assert.ok(lines.length < 16 && lines.every((line) => line.length <= 80), stderr);
  });

  test('a mistyped command, option, setting, or value: suggests the right one', async (t) => {
    const { dir } = await newHome(t);
    await mkdir(dir);
    for (const [typed, meant] of [
      ['platfrom', 'platform'],
      ['plat', 'platform'],
      ['platform creat', 'create'],
      ['help statsu', 'status'],
      ['help platform creat', 'platform create'],
      ['backup verfy', 'verify'],
      ['status --jsn', '--json'],
      ['status --log-levl info', '--log-level'],
      ['status --limits-max-memo 3', '--limits-max-memos'],
      ['--hom x status', '--home'],
      ['config get log.levle', 'log.level'],
      ['config set log.level inof', 'info'],
      ['config set webhooks.allow_http ture', 'true'],
      ['config check --log-level inof', 'info'],
      ['logs level inof', 'info'],
      ['logs shwo', 'show'],
      ['proxy-config ngix', 'nginx'],
      ['completion bsh', 'bash'],
      ['doctor --only databse', 'database'],
      ['webhook create --platform x --url https://a.example --types image.creatd', 'image.created'],
    ] as const) {
      const words = [...typed.split(' '), ...(typed.startsWith('help') ? [] : ['--home', dir])];
      const people = await hosted(words);
      assert.equal(people.code, 2, typed);
      assert.match(people.stderr, new RegExp(`[Dd]id you mean ${meant}\\?`), typed);
      const { error } = (await hosted([...words, '--json'])).json<Failure>();
      assert.match(error.message, new RegExp(`[Dd]id you mean ${meant}\\?`), typed);
    }
    const { stderr } = await hosted(['--elephant', 'status']);
    assert.doesNotMatch(stderr, /you mean/);
  });
});
