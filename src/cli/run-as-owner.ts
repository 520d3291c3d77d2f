import { stat } from 'node:fs/promises';
import type { Home } from '../base/config/home.js';
import { badConfiguration } from '../base/errors/operator.js';
import { programName } from '../base/os/command-line.js';
import { run } from '../base/os/run.js';

/**
 * As root with another user's home, continues as that user: files left there by root would lock the
 * owner out. The owner of a home is whoever owns its secrets.
 * @returns the owner that this process now runs as; undefined if nothing had to change.
 * @throws OperatorError (78) if root may not do that.
 */
export async function runAsOwner(home: Home): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = (await ownerOf(home.secrets)) ?? (await ownerOf(home.dir));
  if (!owner || owner.uid === 0) return undefined;
  const { uid } = owner;
  // The primary group comes first. A user without an account, as in containers, has no groups.
  const { code, stdout } = await run('id', ['-G', '--', String(uid)]);
  const groups = code === 0 ? stdout.trim().split(' ').map(Number) : [owner.gid];
  try {
    process.setgroups?.(groups);
    process.setgid?.(groups[0] ?? owner.gid);
    process.setuid?.(uid);
  } catch (cause) {
    throw badConfiguration(`${home.dir} belongs to another user (uid ${uid}).`, {
      setting: 'home',
      remedy: `Run the command as that user: sudo -u '#${uid}' ${programName()} …`,
      cause,
    });
  }
  return uid;
}

const ownerOf = (path: string) => stat(path).catch(() => undefined);
