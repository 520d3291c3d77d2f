import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { optionKeys } from '../../src/base/config/options.js';
import { checks } from '../../src/ops/doctor/checks.js';
import type { Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { lacks, shells } from '../../testkit/shells.js';
import { needsTerminal } from '../../testkit/terminal.js';

const dir = await mkdtemp(join(tmpdir(), 'imgstore-shells-'));
after(() => rm(dir, { recursive: true, force: true }));
await mkdir(join(dir, 'pictures'));
await writeFile(join(dir, 'report.txt'), '');

const levels = ['error', 'warn', 'info', 'debug'];

/** The typed text, and all words offered to complete it. */
const cases: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['imgstore plat', ['platform']],
  ['imgstore sta', ['status']],
  ['imgstore up-', []],
  ['imgstore platform re', ['rename', 'resume', 'revoke']],
  ['imgstore platform create ', []],
  ['imgstore status --j', ['--json']],
  ['imgstore platform limit ID --us', ['--users']],
  ['imgstore --home pictures --json jobs run rec', ['reclaim-objects']],
  ['imgstore jobs history --job exp', ['expire-changes', 'expire-trash', 'expire-uploads']],
  ['imgstore logs level ', [...levels, 'default']],
  ['imgstore proxy-config ', ['nginx', 'caddy']],
  ['imgstore status --log-level ', levels],
  ['imgstore config get log.', ['log.level', 'log.format']],
  ['imgstore config get log.level ', []],
  ['imgstore config set log.level ', levels],
  ['imgstore config set port ', []],
  ['imgstore status --limits-max-me', ['--limits-max-megapixels']],
  ['imgstore doctor --only datab', ['database']],
  ['imgstore webhook create --types image.t', ['image.trashed']],
  ['imgstore store migrate --to ', ['s3', 'local']],
  ['imgstore help platform del', ['delete']],
  ['imgstore help sett', ['settings']],
  ['imgstore completion ', ['bash', 'zsh', 'fish']],
  ['imgstore verify ba', ['backup']],
];

describe('completion', () => {
  for (const shell of shells) {
    const skip = lacks(shell);
    test(
      `in ${shell.name}: commands, options, and values, each at its position`,
      { skip },
      async () => {
        const script = join(dir, shell.file);
        await writeFile(script, (await hosted(['completion', shell.name])).stdout);
        const lines = cases.map(([line]) => line);
        const all = await shell.offered(script, lines, dir);
        for (const [n, [line, wanted]] of cases.entries()) {
          assert.deepEqual(all[n]?.toSorted(), [...wanted].sort(), `after "${line}"`);
        }
        const [keys, flags, some, valued, more, none] = await shell.offered(
          script,
          [
            'imgstore config get ',
            'imgstore status --',
            'imgstore status --s',
            'imgstore status --log-level=',
            'imgstore doctor --only database,sto',
            'imgstore status --json ',
          ],
          dir,
        );
        assert.deepEqual(keys?.toSorted(), [...optionKeys].sort());
        assert.deepEqual(flags?.toSorted(), ['--config', '--help', '--home', '--json']);
        assert.ok(some?.includes('--s3-bucket'), 'settings, once a letter asks for them');
        const withFlag = valued?.map((word) => word.replace('--log-level=', ''));
        assert.deepEqual(withFlag?.toSorted(), [...levels].sort());
        const names = more?.map((word) => word.replace('database,', '')).sort();
        const wanted = checks.map(({ name }) => name).filter((name) => name.startsWith('sto'));
        assert.deepEqual(names, wanted.sort());
        assert.deepEqual(none, []);
      },
    );
  }

  test('in fish and zsh: files and directories', async (t) => {
    const lines = ['imgstore import ', 'imgstore token inspect re', 'imgstore --home='];
    for (const shell of shells) {
      if (shell.name === 'bash') continue;
      if (lacks(shell)) {
        t.diagnostic(`${shell.name} is not installed`);
        continue;
      }
      const script = join(dir, shell.file);
      await writeFile(script, (await hosted(['completion', shell.name])).stdout);
      const all = await shell.offered(script, lines, dir);
      const plain = all.map((words) => [
        ...new Set(words.map((word) => word.replace('--home=', '').replace(/\/$/, ''))),
      ]);
      assert.deepEqual(plain, [['pictures'], ['report.txt'], ['pictures']], shell.name);
    }
  });

  test('in bash on a terminal: files and directories with Tab', needsTerminal, async () => {
    const script = join(dir, 'imgstore');
    await writeFile(script, (await hosted(['completion', 'bash'])).stdout);
    const bash = spawn('script', ['--quiet', '--command', 'bash --norc -i', '/dev/null'], {
      cwd: dir,
      env: { PATH: process.env.PATH, TERM: 'dumb', HOME: dir, PS1: '' },
    });
    let shown = '';
    const took = new Promise<string>((resolve) => {
      bash.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        shown += chunk;
        const [, words] = /took:(.*)\r?\n/.exec(shown) ?? [];
        if (words !== undefined) resolve(words.trim());
      });
    });
    const ended = once(bash, 'exit');
    bash.stdin.write(`source ./imgstore; imgstore() { printf 'to''ok:%s\\n' "$*"; }\n`);
    bash.stdin.write('imgst\x15imgstore imp\tpic\t --rep\trep\t\n');
    assert.equal(await took, 'import pictures/ --report report.txt');
    bash.stdin.write('exit\n');
    await ended;
  });

  test('requires a known shell', async () => {
    const { code, json } = await hosted(['completion', 'bsh', '--json']);
    assert.equal(code, 2);
    assert.match(json<Failure>().error.message, /Did you mean bash\?/);
    const document = (await hosted(['completion', 'fish', '--json'])).json<{ script: string }>();
    assert.match(document.script, /complete --command imgstore/);
  });
});
