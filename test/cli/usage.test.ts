import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { imgstore, newHome, start } from '../../testkit/command.js';
import type { Failure } from '../../testkit/command.js';

const commands = 'init serve up migrate admin platform user keys status config proxy-config'.split(
  ' ',
);

/** The packages from which Node loads files for a command. */
async function packagesOf(args: string[]): Promise<string[]> {
  const { stderr } = await imgstore(args, { env: { NODE_DEBUG: 'esm,module' } });
  // Only ours: Node itself may have been installed as a package, elsewhere.
  const ours = stderr.split(join(process.cwd(), 'node_modules/')).slice(1);
  const names = ours.map((rest) => /^(?:@[\w.-]+\/)?[\w.-]+/.exec(rest)?.[0] ?? '');
  return [...new Set(names)].sort();
}

describe('imgstore', { concurrency: 2 }, () => {
  test('--help lists every command, --version prints the version', async () => {
    const help = await imgstore(['--help']);
    assert.equal(help.code, 0);
    assert.equal(help.stderr, '');
    for (const command of commands) assert.match(help.stdout, new RegExp(`^ {2}${command} `, 'm'));
    const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    assert.equal((await imgstore(['--version'])).stdout, `${version}\n`);
  });

  test('every command has the flags of all settings in its help', async () => {
    for (const args of [['serve'], ['platform', 'create']]) {
      const { code, stdout } = await imgstore([...args, '--help']);
      assert.equal(code, 0);
      for (const flag of ['--home <dir>', '--json', '--yes', '--database-url <url>', '--port'])
        assert.ok(stdout.includes(flag), `${flag} is in the help of ${args.join(' ')}`);
    }
  });

  test('--help loads no database, no sharp, no Express, that of one command only zod', async () => {
    assert.deepEqual(await packagesOf(['--help']), ['commander']);
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
      const people = await imgstore(args);
      assert.equal(people.code, 2, args.join(' '));
      assert.equal(people.stdout, '');
      assert.match(people.stderr, /^error: .*\n\(add --help for usage\)\n$/);
      const program = await imgstore([...args, '--json']);
      assert.equal(program.code, 2);
      assert.equal(program.stderr, '');
      const { error } = program.json<Failure>();
      assert.equal(error.exit_code, 2);
      assert.ok(people.stderr.includes(error.message));
      assert.match(error.remedy ?? '', /--help/);
    }
  });

  test('a reader that stops reading, such as head, ends a command quietly', async (t) => {
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
      assert.match(stderr, /^Usage: imgstore/);
      assert.equal((await imgstore([...args, '--json'])).json<Failure>().error.exit_code, 2);
    }
  });
});
