/**
 * A program for tests: starts two probes like imaging processes of a home, has one try every door,
 * and prints what it reached. It may run as any user, and with any programs on its path.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { launch, makeFolderOf, idsOf } from '../../src/imaging/decoder-process.js';
import { prepareSandbox, type SandboxSetting } from '../../src/imaging/sandbox.js';
import { logger } from '../../testkit/silent-logger.js';
import type { Doors, Reach } from './probe.js';
import { killNow } from '../../testkit/processes.js';

export interface HostRequest {
  readonly program: string;
  readonly incoming: string;
  readonly setting: SandboxSetting;
  readonly doors: Omit<Doors, 'others' | 'picture' | 'writable'>;
}

const { program, incoming, setting, doors } = JSON.parse(process.argv[2] ?? '') as HostRequest;
const sandbox = await prepareSandbox(program, incoming, setting, logger);
const settings = { maxPixels: 1, heifDecoder: 'auto' } as const;

async function start() {
  const folder = makeFolderOf(sandbox);
  const child = launch(program, folder, { settings, sandbox });
  child.stderr?.pipe(process.stderr);
  const ids = await idsOf(child);
  if (ids === undefined) throw new Error('it has not started');
  return { folder, child, ...ids };
}

const [other, subject] = [await start(), await start()];
await sandbox.lend(join(incoming, 'upload/original'), join(subject.folder, '1'));
const answer = once(subject.child, 'message');
const others = [process.pid, other.pid];
subject.child.send({ ...doors, others, picture: '1', writable: '/tmp/imgstore-state' });
const [reach] = (await answer) as [Reach];
await sandbox.takeBack(join(subject.folder, '1'));
for (const { child, root } of [other, subject]) {
  const ended = once(child, 'exit');
  killNow(root);
  await ended;
}
process.stdout.write(JSON.stringify({ reach, confinement: sandbox.confinement }));
process.exit();
