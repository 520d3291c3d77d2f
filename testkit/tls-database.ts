import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PrivateCluster } from '../src/database/postgres/cluster.js';
import {
  clusterFiles,
  clusterPassword,
  serverIdentity,
} from '../src/database/postgres/cluster-files.js';
import { acceptsLogin } from '../src/database/postgres/connect.js';
import { findEngine } from '../src/database/postgres/ensure-engine.js';
import { run } from '../src/base/os/run.js';
import { homeWithCluster } from './copied-home.js';
import { eventually } from './eventually.js';
import type { Scope } from './scope.js';

export interface TlsDatabase {
  /** The URL of its database with this host name or IP. */
  readonly url: (host: string, parameters?: string) => string;
  /** File with the CA certificate; the server's certificate is for `localhost` only. */
  readonly authority: string;
  /** Restarts it with other settings. */
  readonly restart: (settings: Readonly<Record<string, string>>) => Promise<void>;
}

/** A PostgreSQL server on loopback with TLS and a certificate from a private CA. */
export async function tlsDatabase(scope: Scope): Promise<TlsDatabase> {
  const home = await homeWithCluster(scope);
  const engine = await findEngine(join(home.database, 'engine'));
  if (!engine) throw new Error('there is no PostgreSQL: run tests by "npm test"');
  await new PrivateCluster(home, async () => engine).create();
  const files = clusterFiles(home);
  const identity = await serverIdentity(files.data);
  const password = await clusterPassword(files, false);
  await makeCertificates(files.data, identity?.uid);
  const port = await freePort();
  let stop = async (): Promise<void> => undefined;
  const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(engine.bin, 'postgres'), ['-D', files.data, ...args], {
      cwd: '/',
      env: { PATH: process.env.PATH, ...engine.env },
      stdio: 'ignore',
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    });
    const ended = once(server, 'exit');
    stop = async () => {
      server.kill('SIGQUIT');
      await ended;
    };
    await eventually('it answers', () => acceptsLogin(url('127.0.0.1', plain)));
  };
  const url = (host: string, parameters = ''): string =>
    `postgresql://imgstore:${password}@${host}:${port}/imgstore${parameters}`;
  await start(tls);
  scope.after(() => stop());
  const restart = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    await stop();
    await start(settings);
  };
  return { url, authority: join(files.data, 'ca.crt'), restart };
}

const plain = '?sslmode=disable';
const tls = { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' };

/** Creates a CA, and a certificate from it for `localhost`. */
async function makeCertificates(dir: string, uid: number | undefined): Promise<void> {
  const script = `cd "$1" && umask 077 &&
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \\
      -subj /CN=authority -keyout ca.key -out ca.crt &&
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \\
      -keyout server.key -out server.csr &&
    printf 'subjectAltName=DNS:localhost' > server.ext &&
    openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \\
      -extfile server.ext -out server.crt`;
  const { code, output } = await run('/bin/sh', ['-c', script, 'sh', dir]);
  if (code !== 0) throw new Error(output);
  for (const name of ['server.key', 'server.crt']) {
    if (uid !== undefined) await chown(join(dir, name), uid, -1);
    await chmod(join(dir, name), 0o600);
  }
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return String(port);
}
