import { appendFile, chown, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '../../base/errors/operator.js';
import { clusterPassword, makePrivateDirectory, type ClusterFiles } from './cluster-files.js';
import { superuser } from './connect.js';
import type { Engine } from './engine.js';
import { createDatabase } from './create-database.js';
import { endProcesses } from './postmaster.js';
import { run, lastLines, type Identity } from '../../base/os/run.js';
import { clusterSettings } from './settings.js';

/**
 * Creates the cluster, its role, database, and extensions in a draft folder next to it, which is
 * renamed only when everything is done: a crash in between leaves nothing that looks like a
 * cluster.
 * @throws OperatorError 1 with the end of the program's output.
 */
export async function createCluster(
  files: ClusterFiles,
  engine: Engine,
  identity: Identity | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const draft = `${files.data}.new`;
  await clearAway(draft, identity);
  await makePrivateDirectory(draft, identity);
  const password = await clusterPassword(files, true);
  await initializeCluster(draft, engine, identity, password, signal);
  await appendFile(join(draft, 'postgresql.conf'), clusterSettings);
  const draftFiles = { ...files, data: draft };
  await createDatabase({ files: draftFiles, engine, identity, password, signal });
  await rename(draft, files.data);
  const folder = await open(dirname(files.data));
  await folder.sync();
  await folder.close();
}

/** Removes a draft left by a killed process, and its server if it is still running. */
async function clearAway(draft: string, identity: Identity | undefined): Promise<void> {
  const found = await stat(draft).catch(() => undefined);
  if (found) await endProcesses(draft, identity);
  await rm(draft, { recursive: true, force: true });
}

/** Creates a plain cluster, with nothing of imgstore in it. */
export async function initializeCluster(
  dir: string,
  engine: Engine,
  identity: Identity | undefined,
  password: string,
  signal?: AbortSignal,
): Promise<void> {
  // initdb accepts passwords only from files; this one is in a folder of the server's user.
  const secretDir = `${dir}.secret`;
  await rm(secretDir, { recursive: true, force: true });
  await makePrivateDirectory(secretDir, identity);
  const secret = join(secretDir, 'password');
  try {
    await writeFile(secret, password, { mode: 0o600 });
    if (identity) await chown(secret, identity.uid, identity.gid);
    const { code, output } = await run(
      join(engine.bin, 'initdb'),
      [
        '--pgdata',
        dir,
        '--username',
        superuser,
        '--pwfile',
        secret,
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
        '--locale',
        'C.UTF-8',
        '--text-search-config',
        'simple',
        '--data-checksums',
      ],
      { as: identity, env: engine.env, signal },
    );
    if (code !== 0) throw failure(`initdb could not create the database:\n${lastLines(output)}`);
  } finally {
    await rm(secretDir, { recursive: true, force: true });
  }
}
