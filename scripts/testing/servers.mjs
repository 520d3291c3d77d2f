// The servers of a run of tests: PostgreSQL, and Ceph if a test needs S3.
import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Home } from '../../dist/src/base/config/home.js';
import { PrivateCluster } from '../../dist/src/database/postgres/cluster.js';
import { ensureEngine } from '../../dist/src/database/postgres/ensure-engine.js';
import { CephStack } from '../../dist/testkit/ceph/stack.js';
import { areNeeded, engineFolder, programs } from '../../dist/testkit/programs.js';
import { temporaryDirectory } from '../../dist/testkit/temporary.js';

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

/** A copy of a home with nothing but a cluster, for tests that need a separate server. */
async function templateHome(dir) {
  const template = await temporaryDirectory('model');
  chmodSync(template, 0o755);
  await promisify(execFile)('cp', ['-a', `${dir}/.`, template]); // keeps the owners
  return template;
}

/**
 * Makes thousands of logins cheaper: a wrong password is still rejected, but SCRAM takes most of the time
 * of connecting.
 */
async function simplifyLogins({ url, superuserUrl }) {
  const server = new pg.Client({ connectionString: superuserUrl });
  await server.connect();
  for (const login of [url, superuserUrl]) {
    const { username, password } = new URL(login.replace('@/', '@host/'));
    await server.query(
      `ALTER ROLE ${username} PASSWORD ${pg.escapeLiteral(decodeURIComponent(password))}`,
    );
  }
  await server.end();
}

/** A server for this run only; tests find it by IMGSTORE_TEST_DATABASE_URL. */
export async function throwAwayServer(dir, report) {
  chmodSync(dir, 0o755); // as root, the server's own user needs access
  const home = new Home(dir);
  const cluster = new PrivateCluster(home, () => ensureEngine(engineFolder, report));
  await cluster.create();
  process.env.IMGSTORE_TEST_CLUSTER = await templateHome(dir);
  const access = join(home.database, 'cluster/pg_hba.conf');
  writeFileSync(access, readFileSync(access, 'utf8').replaceAll('scram-sha-256', 'md5'));
  appendFileSync(join(home.database, 'cluster/postgresql.conf'), throwAwaySettings);
  const server = await cluster.open();
  await simplifyLogins(server);
  process.env.IMGSTORE_TEST_DATABASE_URL = server.url;
  return server;
}

/** An S3 server for this run, if a test needs one and none is given. */
export async function throwAwayS3(files, report) {
  if (!areNeeded(programs.ceph, files) || process.env.IMGSTORE_TEST_S3_ENDPOINT) return undefined;
  await programs.ceph.install(report);
  const stack = await CephStack.start();
  process.env.IMGSTORE_TEST_S3_ENDPOINT = stack.endpoints[0];
  process.env.IMGSTORE_TEST_S3_ACCESS_KEY = stack.keys.accessKey;
  process.env.IMGSTORE_TEST_S3_SECRET_KEY = stack.keys.secretKey;
  return stack;
}
