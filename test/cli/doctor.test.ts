import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { Home } from '../../src/base/config/home.js';
import { run } from '../../src/base/os/run.js';
import { cleanEnv, imgstore, postmasterPid, program, type Failure } from '../../testkit/command.js';
import { linkEngine } from '../../testkit/engine.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { temporaryDirectory, temporaryDisk } from '../../testkit/temporary.js';
import { needsTerminal, onTerminal } from '../../testkit/terminal.js';
import { mountable, unshare } from '../faults/mounted.js';

interface Document {
  readonly ok: boolean;
  readonly problems: number;
  readonly warnings: number;
  readonly checks: readonly { name: string; level: string; message: string }[];
}

const found = ({ checks }: Document) =>
  checks
    .filter(({ level }) => level === 'problem' || level === 'warning')
    .map(({ name, message }) => `${name}: ${message}`);

/** A home on a disk, as installations have it. */
async function homeOnDisk(parent: Scope): Promise<Home> {
  const scope = lastFirst(parent);
  const dir = await temporaryDirectory('doctor', temporaryDisk());
  await chmod(dir, 0o755);
  scope.after(() => rm(dir, { recursive: true, force: true }));
  const home = new Home(join(dir, 'home'));
  await linkEngine(home);
  scope.after(async () => {
    const pid = await postmasterPid(home);
    if (pid) process.kill(pid, 'SIGQUIT');
  });
  return home;
}

/** A test may run in a container, whose writable layer is unsuitable for an installation. */
const inContainer = async (): Promise<boolean> =>
  (await statfs(temporaryDisk())).type === 0x794c7630;

describe('imgstore doctor', () => {
  test('finds no problem in a new installation, serving or stopped', async (t) => {
    const home = await homeOnDisk(t);
    const made = await hosted(['init', '--yes', '--home', home.dir]);
    assert.equal(made.code, 0, made.stderr);
    const serving = await serve(t, home);
    const { port } = new URL(serving.url);
    const words = ['doctor', '--home', home.dir, '--json', '--port', port];
    const here = ['--public-url', serving.url];
    const ran = await hosted([...words, ...here]);
    const left = (await inContainer()) ? ['file-system'] : [];
    const ofOthers = (line: string): boolean => !left.includes(line.split(':')[0] ?? '');
    assert.deepEqual(found(ran.json<Document>()).filter(ofOthers), []);
    assert.equal(ran.code, 0);
    const publicUrl = ran.json<Document>().checks.find(({ name }) => name === 'public-url');
    assert.match(publicUrl?.message ?? '', /leads here/);

    assert.equal(await serving.end(), 0);
    const stopped = await hosted(words);
    assert.equal(stopped.code, 0);
    assert.deepEqual(found(stopped.json<Document>()).filter(ofOthers), [
      'service: The service is not running.',
    ]);
    assert.equal(await postmasterPid(home), undefined, 'the database is stopped again');
  });

  test('without a home says how to create one', async (t) => {
    const dir = await temporaryDirectory('doctor');
    t.after(() => rm(dir, { recursive: true, force: true }));
    const ran = await hosted(['doctor', '--home', join(dir, 'none')]);
    assert.equal(ran.code, 3);
    assert.match(
      ran.stdout,
      /^Home and settings\n {2}✗ home: .+ is not an imgstore home yet\.\n {6}Remedy: imgstore init --home .+\n\n\d+ checks: 1 problem, \d+ skipped\.\n$/,
    );
    assert.equal(ran.stderr, '', 'quiet in a pipe');
  });

  test('lists its checks, and runs the selected ones', async () => {
    const listed = await hosted(['doctor', '--list', '--json', '--home', '/nonexistent']);
    assert.equal(listed.code, 0);
    assert.ok(listed.json<unknown[]>().length > 40);
    const wrong = await hosted(['doctor', '--only', 'node,stor', '--json']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.json<Failure>().error.message, /no check "stor"; did you mean store\?/);
    const only = await hosted([
      'doctor',
      '--only',
      'node, cpu',
      '--json',
      '--home',
      '/nonexistent',
    ]);
    assert.deepEqual(
      only.json<Document>().checks.map(({ name }) => name),
      ['node', 'cpu'],
    );
  });

  test('on a terminal also lists passed checks', needsTerminal, async (t) => {
    const { home } = await initializedHome(t);
    const words = ['doctor', '--home', home.dir, '--only', 'node,home,config'];
    const { code, shown } = await onTerminal(words, []);
    assert.equal(code, 0, shown);
    assert.match(shown, /· Examining .+Machine\r\n {2}✓ node: Node\.js .+3 checks: all well\./s);
  });

  test(
    'run by another user of the machine, says who may run it, and lists files with a wrong owner',
    { skip: process.getuid?.() === 0 ? false : 'only root can act for others' },
    async (t) => {
      const stranger = 1;
      const { home } = await initializedHome(t);
      const words = ['doctor', '--home', home.dir, '--json', '--only', 'secrets,owners'];
      const refused = await imgstore(words, { as: stranger });
      const [secrets, owners] = refused.json<Document>().checks;
      assert.match(secrets?.message ?? '', /uid 1\) lacks permission: EACCES/);
      assert.match(owners?.message ?? '', /uid 1\) may not use .+secrets/);
      assert.equal(refused.code, 3);

      await run('chown', ['-hR', `${stranger}:${stranger}`, home.dir]);
      const restored = join(home.store, 'instance.json');
      await chown(restored, 0, 0);
      const ran = await imgstore(words);
      assert.match(
        found(ran.json<Document>()).join(),
        /^owners: .+uid 1\) may not use .+instance\.json\.$/,
      );
    },
  );

  test('reports a store in memory that has no inodes left', { skip: mountable }, async (t) => {
    const { home } = await initializedHome(t);
    const script = `mount -t tmpfs -o nr_inodes=2,mode=700 tmpfs "$1" && touch "$1/a" && shift && exec "$@"`;
    const checks = [
      'doctor',
      '--home',
      home.dir,
      '--json',
      '--only',
      'inodes,file-system,sentinel,store',
    ];
    const words = [...unshare, 'sh', '-c', script, 'sh', home.store, process.execPath, program];
    const child = spawn('unshare', [...words, ...checks], { env: cleanEnv({}) });
    child.stdin.end();
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const findings = found(JSON.parse(out) as Document).join('\n');
    assert.match(findings, /inodes: Only 0 inodes, and so files, are left on the disk of .+store/);
    assert.match(findings, /file-system: The store in .+ is in memory \(tmpfs\)/);
    assert.match(findings, /store: The store in .+ cannot be used: ENOSPC/);
    assert.match(findings, /sentinel: .+ is not the store of this installation/);
  });
});
