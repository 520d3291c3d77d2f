import { appendFile, chown, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '../errors/operator.js';
import { clusterPassword, makePrivateFolder, type ClusterFiles } from './cluster-files.js';
import { requiredExtensions, type Engine } from './engine.js';
import { run, tail, type Identity } from './run.js';
import { clusterSettings } from './settings.js';

/** The role that imgstore works as: owner of its database, no superuser. */
export const role = 'imgstore';
export const databaseName = 'imgstore';
/** Only for repairs by hand and for extensions; same password. */
const superuser = 'postgres';

/**
 * Makes the cluster, its role, database and extensions in a folder beside, which takes its name only
 * when all is done: a crash on the way leaves nothing that looks like a cluster.
 * @throws OperatorError 1 with the end of the program's output.
 */
export async function createCluster(
  files: ClusterFiles,
  engine: Engine,
  identity: Identity | undefined,
): Promise<void> {
  const draft = `${files.data}.new`;
  await rm(draft, { recursive: true, force: true });
  await makePrivateFolder(draft, identity);
  const password = await clusterPassword(files, true);
  await initialise(draft, engine, identity, password);
  await appendFile(join(draft, 'postgresql.conf'), clusterSettings);
  await single(draft, engine, identity, 'postgres', [
    `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseName} OWNER ${role}`,
  ]);
  await single(
    draft,
    engine,
    identity,
    databaseName,
    requiredExtensions.map((name) => `CREATE EXTENSION ${name}`),
  );
  await rename(draft, files.data);
  const folder = await open(dirname(files.data));
  await folder.sync();
  await folder.close();
}

async function initialise(
  dir: string,
  engine: Engine,
  identity: Identity | undefined,
  password: string,
): Promise<void> {
  // initdb takes passwords from files only; this one lies in a folder of the server's user.
  const secretDir = `${dir}.secret`;
  await rm(secretDir, { recursive: true, force: true });
  await makePrivateFolder(secretDir, identity);
  const secret = join(secretDir, 'password');
  try {
    await writeFile(secret, password, { mode: 0o600 });
    if (identity) await chown(secret, identity.uid, identity.gid);
    const { code, output } = await run(
      join(engine.bin, 'initdb'),
      [
        ...['--pgdata', dir, '--username', superuser, '--pwfile', secret],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
        ...['--text-search-config', 'simple', '--data-checksums'],
      ],
      { as: identity, env: engine.env },
    );
    if (code !== 0) throw failure(`initdb could not make the database:\n${tail(output)}`);
  } finally {
    await rm(secretDir, { recursive: true, force: true });
  }
}

/** Runs statements without a server: nobody else can connect while the cluster is being made. */
async function single(
  dir: string,
  engine: Engine,
  identity: Identity | undefined,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const { code, output } = await run(
    join(engine.bin, 'postgres'),
    [
      ...['--single', '-D', dir, '-j'],
      ...['-c', 'log_min_error_statement=panic', database], // the password stays out of messages
    ],
    { as: identity, env: engine.env, input: statements.map((s) => `${s};\n\n`).join('') },
  );
  // A failing statement does not end the program (and exit_on_error=on would make errors fatal that
  // PostGIS's scripts catch).
  if (code !== 0 || /\b(ERROR|FATAL|PANIC): /.test(output))
    throw failure(`The new database could not be set up:\n${tail(output)}`);
}
