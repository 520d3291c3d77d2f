import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackedLibraries, unpackPackage } from '../src/database/postgres/ensure-engine.js';
import { eventually } from './eventually.js';
import type { Scope } from './scope.js';

/** The package is unpacked here once, next to the database engine; nothing is installed or started. */
const folder = fileURLToPath(new URL('../../.imgstore/nginx', import.meta.url));

const ofMachine = '/usr/sbin/nginx';

export const hasNginx = (): boolean => existsSync(ofMachine) || existsSync(folder);

/** The nginx of the machine, or one that is unpacked next to the database engine. */
export async function findNginx(): Promise<{ file: string; env: Record<string, string> }> {
  if (existsSync(ofMachine)) return { file: ofMachine, env: {} };
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    await unpackPackage({ folder, choose: async () => 'nginx', report: () => undefined });
  }
  return { file: join(folder, 'usr/sbin/nginx'), env: await unpackedLibraries(folder) };
}

/** A port of 127.0.0.1 that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** An nginx.conf that includes the site, as on a normal machine; all files are in `dir`. */
const around = (dir: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${dir}/pid;
error_log ${dir}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `${what}_temp_path ${dir}/${what};`)
    .join(' ')}
  include ${dir}/imgstore.conf;
}
`;

/** Runs a real nginx with a site that listens on `port`; stopped with its scope. */
export async function startNginx(scope: Scope, site: string, port: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-nginx-'));
  await writeFile(join(dir, 'imgstore.conf'), site);
  await writeFile(join(dir, 'nginx.conf'), around(dir));
  const { file, env } = await findNginx();
  const child = spawn(file, ['-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')], {
    // The test runner finds it there: its title takes the place of its environment.
    cwd: dir,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGQUIT');
    await ended;
    await rm(dir, { recursive: true, force: true });
  });
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(await readFile(join(dir, 'error.log'), 'utf8'));
    return accepts(port);
  });
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const open = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return open;
}
