import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { badConfiguration } from '../../base/errors/operator.js';
import type { Identity } from '../../base/os/run.js';

/** Maximum length of a Unix socket's path in bytes (Linux's sun_path without the final zero). */
const maxSocketPathBytes = 107;

const socketName = '.s.PGSQL.5432';

/** The folder of the socket: the preferred one, or one with a shorter path if that is too long. */
export function socketDirectory(preferred: string): string {
  if (Buffer.byteLength(join(preferred, socketName)) <= maxSocketPathBytes) return preferred;
  const id = createHash('sha256').update(preferred).digest('hex').slice(0, 16);
  // Not os.tmpdir(): TMPDIR differs between terminals, and every process must find this again.
  return `/tmp/imgstore-${id}`;
}

/** Creates the folder, accessible only to the server's user. */
export async function makeSocketDirectory(
  dir: string,
  identity: Identity | undefined,
): Promise<void> {
  const made = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (made && identity) await chown(dir, identity.uid, identity.gid);
  const found = await lstat(dir);
  // In /tmp, anyone could have put something in its place.
  if (!found.isDirectory() || found.uid !== (identity?.uid ?? process.getuid?.())) {
    throw badConfiguration(`${dir} is not a folder of the database server's user.`, {
      setting: 'home',
      remedy: `inspect it and remove it: rm -r ${dir}`,
    });
  }
  await chmod(dir, 0o700);
}

/**
 * Whether a server listens there, even one whose process is not visible, as in another container.
 */
export async function isListening(dir: string): Promise<boolean> {
  const socket = connect(join(dir, socketName));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // no socket, or nothing listening on it
  } finally {
    socket.destroy();
  }
}
