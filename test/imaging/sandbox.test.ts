import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareSandbox } from '../../src/imaging/sandbox.js';
import { launch } from '../../src/imaging/decoder-process.js';
import { testService } from '../../testkit/service.js';
import type { Reach } from './probe.js';
import { logger } from '../../testkit/silent-logger.js';

const program = fileURLToPath(new URL('probe.js', import.meta.url));
const { home, service } = await testService({ after });
const asRoot = process.getuid?.() === 0;
process.env.IMGSTORE_SECRET_FOR_TEST = 'do not show';
const reach = await reachOfImagingProcess();

/** What a process can access that is started like the imaging processes of this service. */
async function reachOfImagingProcess(): Promise<Reach> {
  const folder = home.incoming;
  const sandbox = await prepareSandbox(program, folder, logger);
  await mkdir(join(folder, 'upload'), { mode: 0o700 });
  await writeFile(join(folder, 'upload/original'), 'a picture', { mode: 0o600 });
  await sandbox.grantAccess(join(folder, 'upload/original'));
  const settings = { maxPixels: 1, heifDecoder: 'auto' } as const;
  const child = launch(program, { settings, folder, sandbox, logger });
  const answer = once(child, 'message');
  child.send({ key: join(home.secrets, 'master.key'), picture: 'upload/original' });
  const [reach] = (await answer) as [Reach];
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return reach;
}

test('an imaging process started by root can read its image, but no secret', async (t) => {
  if (!asRoot) return t.skip('needs root');
  await readFile(join(home.secrets, 'master.key'));
  const { tried, status } = reach;
  assert.deepEqual(tried, {
    key: 'EACCES',
    'key from where it stands': 'EACCES',
    'memory of the service': 'EACCES',
    'list of uploads': 'EACCES',
    picture: 'done',
    'change of the picture': 'EACCES',
    'new file beside it': 'EACCES',
  });
  assert.match(status, /^Uid:\t65534\t65534\t65534\t65534$/m);
  assert.match(status, /^Gid:\t65534\t65534\t65534\t65534$/m);
  assert.match(status, /^Groups:\s*$/m);
  assert.match(status, /^CapPrm:\t0+$/m);
});

test('an imaging process gets no new privileges, and no variables or open files of the service', async () => {
  const { status, environment, descriptors } = reach;
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.deepEqual(
    environment.filter((name) => /IMGSTORE|SECRET|DATABASE/.test(name)),
    [],
  );
  assert.ok(descriptors < 30, `${descriptors} descriptors`);
});

test('setpriv is not needed with NoNewPrivileges, as in the systemd units', async () => {
  const script = `
    import { prepareSandbox } from ${JSON.stringify(import.meta.resolve('../../src/imaging/sandbox.js'))};
    const sandbox = await prepareSandbox('/x', '/x', { warn: console.error });
    console.log(JSON.stringify(sandbox.options()));`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const started = await promisify(execFile)('setpriv', ['--no-new-privs', ...node]);
  assert.deepEqual(JSON.parse(started.stdout), { execArgv: [] });
});

test('the imaging process of the service is confined in the same way', async () => {
  const [pid] = service.imaging.pids;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  assert.match(status, /^NoNewPrivs:\t1$/m);
  if (asRoot) assert.match(status, /^Uid:\t65534\t65534\t65534\t65534$/m);
});
