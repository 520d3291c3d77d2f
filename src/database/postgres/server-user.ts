import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badConfiguration } from '../../base/errors/operator.js';
import { run, type Identity } from '../../base/os/run.js';

/**
 * The user that a private server runs as; undefined means the current user. PostgreSQL refuses to
 * run as root, so root switches to the owner of an existing data directory, else to the `postgres`
 * user.
 * @throws OperatorError 78 if root finds no such user.
 */
export async function serverIdentity(dataDir: string): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const [uid, gid] = await Promise.all([
    run('id', ['-u', 'postgres']),
    run('id', ['-g', 'postgres']),
  ]);
  if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  throw badConfiguration('PostgreSQL does not run as root, and there is no user "postgres".', {
    remedy: 'useradd --system --shell /usr/sbin/nologin postgres, or run imgstore as another user',
  });
}

/**
 * Verifies that the server's user can enter `dir`.
 * @throws OperatorError 78 that names the inaccessible folder.
 */
export async function checkReachable(dir: string, identity: Identity | undefined): Promise<void> {
  if (!identity || (await canEnter(dir, identity))) return;
  const above = [dir];
  while (above[0] !== undefined && above[0] !== '/') above.unshift(dirname(above[0]));
  for (const folder of above) {
    if (await canEnter(folder, identity)) continue;
    throw badConfiguration(
      `The database server's user (uid ${identity.uid}) cannot enter ${folder}.`,
      {
        setting: 'home',
        remedy: `chmod o+x ${folder}, or choose a home elsewhere with --home, e.g. /var/lib/imgstore`,
      },
    );
  }
}

async function canEnter(dir: string, as: Identity): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { as })).code === 0;
}
