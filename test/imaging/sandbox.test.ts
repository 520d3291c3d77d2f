import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OperatorError } from '../../src/base/errors/operator.js';
import { imagingProgram } from '../../src/imaging/decoder-process.js';
import { prepareSandbox, type Confinement, sandboxRemedy } from '../../src/imaging/sandbox.js';
import { eventually } from '../../testkit/eventually.js';
import { installed } from '../../testkit/installed.js';
import { isRunning, killNow } from '../../testkit/processes.js';
import { logger } from '../../testkit/silent-logger.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import type { HostRequest } from './doors-host.js';
import type { Reach } from './probe.js';
import { noise, Studio } from './support.js';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const nobody = 65534;
const asRoot = process.getuid?.() === 0;
const needsRoot = { skip: !asRoot && 'needs root' };
const needsBubblewrap = { skip: !(await installed(['bwrap'])) && 'needs bubblewrap' };

/** Runs a host in a home of this user, with these programs first on its path. */
async function tryDoors({
  user,
  setting,
  path,
}: {
  user: number;
  setting: HostRequest['setting'];
  path?: string;
}): Promise<{ reach: Reach; confinement: Confinement }> {
  const home = await temporaryDirectory('doors');
  const incoming = join(home, 'incoming');
  const server = createServer().listen(0, '127.0.0.1');
  const [socket, abstract] = [join(home, 'socket'), `\0imgstore-test-${process.pid}`];
  const sockets = [socket, abstract].map((at) => createServer().listen(at));
  const listening = Promise.all(sockets.map((one) => once(one, 'listening')));
  try {
    for (const folder of ['incoming', 'incoming/upload', 'incoming/foreign', 'secrets']) {
      await mkdir(join(home, folder), { mode: 0o700 });
      await chown(join(home, folder), user, user);
    }
    const key = join(home, 'secrets/master.key');
    const upload = join(incoming, 'foreign/original');
    for (const name of [key, upload, join(incoming, 'upload/original')]) {
      await writeFile(name, 'a picture', { mode: 0o600 });
      await chown(name, user, user);
    }
    await chmod(home, 0o755);
    await listening;
    await chmod(socket, 0o777); // as PostgreSQL's
    const { port } = server.address() as { port: number };
    const doors = { key, upload, port, socket, abstract };
    const request: HostRequest = { program: file('probe.js'), incoming, setting, doors };
    const PATH = [...(path ? [path] : []), process.env.PATH].join(':');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [file('doors-host.js'), JSON.stringify(request)],
      {
        cwd: '/',
        env: { PATH, IMGSTORE_SECRET_FOR_TEST: 'do not show' },
        ...(asRoot && { uid: user, gid: user }),
      },
    );
    const { mode } = await stat(join(incoming, 'upload/original'));
    assert.equal(mode & 0o777, 0o600, 'closed again after decoding');
    return JSON.parse(stdout) as { reach: Reach; confinement: Confinement };
  } finally {
    for (const one of [server, ...sockets]) one.close();
    await rm(home, { recursive: true });
    await rm('/tmp/imgstore-state', { force: true });
  }
}

/** All doors but its picture, closed for whatever reason. */
function assertClosed({ tried }: Reach, except: readonly string[] = []): void {
  assert.equal(tried.picture, 'done');
  const open = Object.entries(tried).filter(([, result]) => result === 'done');
  assert.deepEqual(open.map(([name]) => name).sort(), ['picture', ...except].sort());
}

for (const [who, user] of [
  ['root', 0],
  ['another user', nobody],
] as const) {
  describe(
    `in bubblewrap, started by ${who}`,
    { skip: needsRoot.skip || needsBubblewrap.skip },
    () => {
      let tried: Awaited<ReturnType<typeof tryDoors>>;
      before(async () => {
        tried = await tryDoors({ user, setting: 'require' });
      });

      test('a decoder reaches its picture, and nothing else', () => {
        assert.equal(tried.confinement.level, 'bubblewrap');
        assertClosed(tried.reach);
      });

      test('it sees no process, starts few, and gets no variables', () => {
        const { seen, forks, environment } = tried.reach;
        assert.deepEqual(seen, []);
        assert.ok(forks < 128, `${forks} processes`);
        assert.deepEqual(
          environment.filter((name) => /IMGSTORE|SECRET|DATABASE/.test(name)),
          [],
        );
      });
    },
  );
}

test(
  'without bubblewrap, decoders of root run as users of their own, without network',
  needsRoot,
  async () => {
    const { reach, confinement } = await tryDoors({ user: 0, setting: 'off' });
    assert.deepEqual([confinement.level, confinement.lacks], ['user', 'imaging.sandbox is off']);
    // A socket in a folder open to all, and programs, are not of the home.
    assertClosed(reach, ['program', 'socket']);
    assert.ok((reach.user ?? 0) >= 0x7000_0000, `uid ${reach.user}`);
    assert.ok(reach.forks < 128, `${reach.forks} processes`);
  },
);

test('where bubblewrap fails, another user’s service starts and says so', needsRoot, async () => {
  const path = await temporaryDirectory('doors');
  try {
    await writeFile(join(path, 'bwrap'), '#!/bin/sh\necho "bwrap: no namespaces" >&2\nexit 1\n');
    await chmod(join(path, 'bwrap'), 0o755);
    await chmod(path, 0o755);
    const { reach, confinement } = await tryDoors({ user: nobody, setting: 'auto', path });
    assert.deepEqual([confinement.level, confinement.lacks], ['none', 'bwrap: no namespaces']);
    assert.match(confinement.about, /can read everything .*master\.key/);
    assert.equal(reach.tried.key, 'done', 'as the documentation says');
    const previous = process.env.PATH;
    process.env.PATH = `${path}:${previous}`;
    try {
      const required = prepareSandbox(imagingProgram, path, 'require', logger);
      await assert.rejects(required, ({ exitCode, setting, message }: OperatorError) => {
        assert.match(message, /bubblewrap: bwrap: no namespaces/);
        return exitCode === 78 && setting === 'imaging.sandbox';
      });
    } finally {
      process.env.PATH = previous;
    }
  } finally {
    await rm(path, { recursive: true });
  }
});

test('setpriv is not needed with NoNewPrivileges, as in the systemd units', async () => {
  // A path without any program.
  const script = `
    import { prepareSandbox } from ${JSON.stringify(import.meta.resolve('../../src/imaging/sandbox.js'))};
    const sandbox = await prepareSandbox('/x', process.argv[1], 'off', { warn: console.error });`;
  const folder = await temporaryDirectory('doors');
  const node = [process.execPath, '--input-type=module', '--eval', script, folder];
  const warnings = async (...binding: string[]) =>
    (await promisify(execFile)('setpriv', [...binding, ...node])).stderr;
  try {
    assert.doesNotMatch(await warnings('--no-new-privs'), /gain privileges/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a service that starts without bubblewrap says how to get it', async (t) => {
  const script = `
    import { prepareSandbox } from ${JSON.stringify(import.meta.resolve('../../src/imaging/sandbox.js'))};
    await prepareSandbox('/x', process.argv[1], 'auto', { warn: (...said) => console.error(JSON.stringify(said)) });`;
  const folder = await temporaryDirectory('doors');
  t.after(() => rm(folder, { recursive: true }));
  const args = ['--input-type=module', '--eval', script, folder];
  const { stderr } = await promisify(execFile)(process.execPath, args);
  const line = stderr.split('\n').find((one) => one.startsWith('["imaging processes without'));
  const [, { lacks, remedy }] = JSON.parse(line ?? '[]') as [string, Record<string, string>];
  assert.equal(remedy, sandboxRemedy(lacks ?? ''));
  assert.match(sandboxRemedy('it is not installed'), /^Install it.+apt-get install bubblewrap/);
});

test('a picture is in the folder of its process only while it is decoded', async () => {
  const studio = await Studio.open();
  await studio.process('first.jpg', await noise(400, 300).jpeg().toBuffer());
  const { stdout } = await promisify(execFile)('find', [
    join(studio.dir, 'decoders'),
    '-type',
    'f',
  ]);
  assert.equal(stdout, '');
});

test('imaging processes of a service cannot gain privileges, and have users of their own', async () => {
  const studio = await Studio.open({ threads: 2 });
  const users = ['1', '2', '3', '4'];
  const pictures = await Promise.all(users.map(() => noise(1600, 1200).jpeg().toBuffer()));
  // At the same time, so that one process cannot take one after the other.
  await Promise.all(
    users.map((user, n) => studio.process(`${user}.jpg`, pictures[n] ?? Buffer.of(), user)),
  );
  const ids = new Set<string>();
  const { pids } = studio.queue;
  assert.ok(pids.length > 1, 'only one process');
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(status, /^CapPrm:\t0+$/m);
    ids.add(/^Uid:\t(\d+)/m.exec(status)?.[1] ?? '');
  }
  if (asRoot) assert.equal(ids.size, pids.length);
});

test('an imaging process ends with the bubblewrap that started it', needsBubblewrap, async () => {
  const studio = await Studio.open();
  const { pid } = studio;
  const parentOf = async (child: number): Promise<number> =>
    Number(/^PPid:\t(\d+)/m.exec(await readFile(`/proc/${child}/status`, 'utf8'))?.[1]);
  const wrapper = await parentOf(await parentOf(pid));
  assert.equal(await parentOf(wrapper), process.pid);
  killNow(wrapper);
  await eventually('it ends', async () => !(await isRunning(pid)));
  await studio.process('next.jpg', await noise(40, 30).jpeg().toBuffer());
});

test('a process is replaced after 250 pictures, so that one that was taken over does not stay', async () => {
  const studio = await Studio.open({ threads: 1 });
  const picture = await noise(8, 8).png().toBuffer();
  const first = studio.pid;
  for (let i = 0; i < 250; i++) await studio.process('small.png', picture);
  await eventually('another one takes its place', async () => {
    const { pids } = studio.queue;
    return pids.length === 1 && pids[0] !== first;
  });
  assert.equal((await studio.process('small.png', picture)).width, 8);
});
