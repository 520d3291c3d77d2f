import { execFile } from 'node:child_process';
import type { ForkOptions } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, chown, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../telemetry/logger.js';

/** `nobody` and its group: imaging processes run as these if the service runs as root. */
const nobody = 65534;
/** The group may enter the folder but not list it, and may read files but not change them. */
const folderMode = 0o710;
const fileMode = 0o640;

/** How imaging processes are confined: see docs/adr/0014. */
export interface Sandbox {
  /** Options for `fork`. */
  options(): Pick<ForkOptions, 'execPath' | 'execArgv' | 'uid' | 'gid'>;
  /** Lets the processes read the image at `path`, which is in a separate folder. */
  grantAccess(path: string): Promise<void>;
}

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/**
 * Whether this process and its children already cannot gain privileges, as under the systemd units.
 */
const isBound = (): Promise<boolean> =>
  readFile('/proc/self/status', 'utf8').then(
    (status) => /^NoNewPrivs:\t1$/m.test(status),
    () => false,
  );

const binding = '--no-new-privs';

/** Path of util-linux's setpriv, which sets `no_new_privs`, if it works here. */
async function findSetpriv(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin'];
  for (const path of folders.filter(Boolean).map((folder) => join(folder, 'setpriv'))) {
    if (!(await succeeds(access(path, constants.X_OK)))) continue;
    if (await succeeds(promisify(execFile)(path, [binding, 'true']))) return path;
  }
  return undefined;
}

/** Finds options with which `fork` starts a process that cannot gain privileges. */
async function findBinding(logger: Logger): Promise<Sandbox['options']> {
  const none = () => ({ execArgv: [] });
  // setpriv needs system calls that the filter of the systemd units forbids.
  if (await isBound()) return none;
  const setpriv = await findSetpriv();
  if (setpriv) return () => ({ execPath: setpriv, execArgv: [binding, process.execPath] });
  logger.warn('imaging processes can gain privileges: setpriv (util-linux) is missing or fails');
  return none;
}

/**
 * Whether `nobody` can read the program, which may be in a home directory that is closed to others.
 */
function isOpenToNobody(program: string): Promise<boolean> {
  const sharp = createRequire(import.meta.url).resolve('sharp');
  const question = ['-x', process.execPath, '-a', '-r', program, '-a', '-r', sharp];
  return succeeds(promisify(execFile)('test', question, { uid: nobody, gid: nobody, cwd: '/' }));
}

async function open(path: string, mode: number): Promise<void> {
  await chown(path, -1, nobody);
  await chmod(path, mode);
}

/** Prepares for processes that run `program` and read images below `folder`. */
export async function prepareSandbox(
  program: string,
  folder: string,
  logger: Logger,
): Promise<Sandbox> {
  const bound = await findBinding(logger);
  if (process.getuid?.() !== 0) return { options: bound, grantAccess: async () => undefined };
  if (!(await isOpenToNobody(program))) {
    logger.warn('imaging processes run as root: other users cannot read their program', {
      program,
    });
    return { options: bound, grantAccess: async () => undefined };
  }
  await open(folder, folderMode);
  return {
    options: () => ({ ...bound(), uid: nobody, gid: nobody }),
    grantAccess: async (path) => {
      await open(dirname(path), folderMode);
      await open(path, fileMode);
    },
  };
}
