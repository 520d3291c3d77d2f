// The servers of a run of tests: PostgreSQL, and Ceph if a test needs S3.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { Home } from '../../src/base/config/home.js';
import { packageFile } from '../../src/base/installed-files.js';
import { PrivateCluster, type Lease } from '../../src/database/postgres/cluster.js';
import type { Engine } from '../../src/database/postgres/engine.js';
import { ensureEngine } from '../../src/database/postgres/ensure-engine.js';
import { CephStack } from '../../testkit/ceph/stack.js';
import { prepareTemplate } from '../../testkit/migrated-source.js';
import { areNeeded, engineFolder, programs } from '../../testkit/programs.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

type Report = (message: string) => void;

const dist = fileURLToPath(new URL('../..', import.meta.url));

/** Where clusters are kept that only need to be copied: that takes a tenth of the time of making one. */
const modelsFolder = join(dist, '../.imgstore/test-clusters');

/** The server may lose everything in a power failure. Tests open thousands of connections to it. */
const throwAwaySettings = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_compression = off
max_connections = 480  # below the largest pool, so that doctor can report one that is too large
shared_preload_libraries = 'postgis-3'  # loading it costs as much as connecting
password_encryption = md5
`;

/** Copies a folder with the owners of its files. */
const copyFolder = async (from: string, to: string): Promise<void> =>
  void (await promisify(execFile)('cp', ['-a', from, to]));

/**
 * Makes thousands of logins cheaper: a wrong password is still rejected, but SCRAM takes most of the time
 * of connecting.
 */
async function simplifyLogins({ url, superuserUrl }: Lease): Promise<void> {
  const server = new pg.Client({ connectionString: superuserUrl });
  await server.connect();
  for (const login of [url, superuserUrl]) {
    const { username, password } = new URL(login.replace('@/', '@host/'));
    const secret = pg.escapeLiteral(decodeURIComponent(password));
    await server.query(`ALTER ROLE ${username} PASSWORD ${secret}`);
  }
  await server.end();
}

/** Makes the two homes of a model: `new` as imgstore creates one, `test` with all that tests expect. */
async function makeModel(draft: string, engine: Engine): Promise<void> {
  const [fresh, ready] = [join(draft, 'new'), join(draft, 'test')];
  mkdirSync(fresh, { mode: 0o755 });
  await new PrivateCluster(new Home(fresh), async () => engine).create();
  await copyFolder(fresh, ready);
  const { database } = new Home(ready);
  const access = join(database, 'cluster/pg_hba.conf');
  writeFileSync(access, readFileSync(access, 'utf8').replaceAll('scram-sha-256', 'md5'));
  appendFileSync(join(database, 'cluster/postgresql.conf'), throwAwaySettings);
  const server = await new PrivateCluster(new Home(ready), async () => engine).open();
  try {
    await simplifyLogins(server);
    await prepareTemplate(server.url);
  } finally {
    await server.close();
  }
}

/** Names all that a model depends on: the programs of the server, and the schema. */
function modelKey(engine: Engine): string {
  const sources = [packageFile('migrations'), join(dist, 'migrations'), join(dist, 'src/database')];
  const schema = sources.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|sql)$/.test(name) && !name.includes('.test.'))
      .map((name) => join(folder, name)),
  );
  const { mtimeMs } = statSync(join(engine.bin, 'postgres'));
  const hash = createHash('sha256').update(JSON.stringify([engine, mtimeMs, throwAwaySettings]));
  for (const file of schema.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** The model of this engine and schema, made by the first run that needs it. */
async function keptModel(engine: Engine, report: Report): Promise<string> {
  const model = join(modelsFolder, modelKey(engine));
  if (existsSync(model)) return model;
  report('Creating the database of the tests');
  const draft = await temporaryDirectory('model'); // the folder of a user may be closed to the server
  chmodSync(draft, 0o755);
  await makeModel(draft, engine);
  rmSync(modelsFolder, { recursive: true, force: true }); // those of other schemas
  mkdirSync(modelsFolder, { recursive: true });
  const copy = `${model}.${process.pid}`;
  await copyFolder(draft, copy);
  rmSync(draft, { recursive: true });
  try {
    renameSync(copy, model);
  } catch (error) {
    if (!existsSync(model)) throw error; // another run was faster
    rmSync(copy, { recursive: true });
  }
  return model;
}

/** A server for this run only; tests find it by IMGSTORE_TEST_DATABASE_URL. */
async function openDatabase(report: Report): Promise<Lease> {
  const engine = await ensureEngine(engineFolder, report);
  const model = await keptModel(engine, report);
  const dir = await temporaryDirectory('test');
  chmodSync(dir, 0o755); // as root, the server's own user needs access
  await copyFolder(`${model}/.`, dir);
  process.env.IMGSTORE_TEST_CLUSTER = join(dir, 'new');
  const server = await new PrivateCluster(new Home(join(dir, 'test')), async () => engine).open();
  process.env.IMGSTORE_TEST_DATABASE_URL = server.url;
  return server;
}

/** An S3 server for this run, if a test needs one and none is given. */
async function openS3(files: readonly string[], report: Report): Promise<CephStack | undefined> {
  if (!areNeeded(programs.ceph, files) || process.env.IMGSTORE_TEST_S3_ENDPOINT) return undefined;
  await programs.ceph.install(report);
  const stack = await CephStack.start();
  process.env.IMGSTORE_TEST_S3_ENDPOINT = stack.endpoints[0];
  process.env.IMGSTORE_TEST_S3_ACCESS_KEY = stack.keys.accessKey;
  process.env.IMGSTORE_TEST_S3_SECRET_KEY = stack.keys.secretKey;
  return stack;
}

/**
 * Opens the servers that these test files need, unless the environment names others. Their files are in
 * the workplace of the run.
 */
export async function openServers(
  files: readonly string[],
  report: Report,
): Promise<{ close(): Promise<void> }> {
  const given = process.env.IMGSTORE_TEST_DATABASE_URL;
  process.env.IMGSTORE_TEST_ENGINE = engineFolder;
  const opened = await Promise.allSettled([
    given === undefined ? openDatabase(report) : prepareTemplate(given),
    openS3(files, report),
  ]);
  const [database, s3] = opened.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  const close = async (): Promise<void> => {
    await Promise.all([
      (database as Lease | undefined)?.close(),
      (s3 as CephStack | undefined)?.stop(),
    ]);
  };
  const failure = opened.find((one) => one.status === 'rejected');
  if (!failure) return { close };
  await close();
  throw failure.reason;
}
