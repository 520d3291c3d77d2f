import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Bench, Row } from '../harness/row.js';
import { freePort, startNginx } from '../../testkit/nginx.js';
import { nginxConfig } from '../../src/ops/proxy-config.js';
import { BenchService } from '../harness/bench-service.js';
import { upload } from '../harness/pictures.js';
import { requestsPerSecond } from '../harness/wrk.js';

const load = { connections: 8, seconds: 2 };

/**
 * A bare node:http server: no routing, no signature, no headers except the length, and the bytes in memory.
 * One that opens and reads the file for each request, or pipes a stream of it, does more work than the
 * service, and is no limit.
 */
type Bare = (content: Buffer) => RequestListener;

const whole: Bare = (content) => (_request, response) =>
  void response.writeHead(200, { 'Content-Length': content.length }).end(content);

const notModified: Bare = () => (_request, response) => void response.writeHead(304).end();

/** Objects by signed URL, compared with a server that does nothing else. */
export const fileRows = (): Row[] => {
  const row = (name: string, title: string, atLeast: number, fileCase: FileCase): Row => ({
    name,
    title,
    unit: '/s',
    goal: { atLeast },
    limit: 'bare node:http, from memory',
    open: (bench) => compare(bench, fileCase),
  });
  return [
    row('files/thumbnail', 'Thumbnail', 0.5, { of: 'thumb_url', bare: whole }),
    row('files/304', 'Thumbnail that has not changed (304)', 0.4, {
      of: 'thumb_url',
      bare: notModified,
      fresh: true,
    }),
    row('files/original', 'Original of 2.5 MB', 0.5, { of: 'org_path_url', bare: whole }),
    {
      name: 'files/accel',
      title: 'Original of 2.5 MB behind nginx, files.accel',
      unit: '/s',
      limit: 'nginx sendfile',
      goal: { atLeast: 0.9 },
      open: compareBehindNginx,
    },
  ];
};

interface FileCase {
  readonly of: 'thumb_url' | 'org_path_url';
  readonly bare: Bare;
  /** Whether the client already has the file. */
  readonly fresh?: true;
}

async function compare({ small, scratch }: Bench, { of, bare, fresh }: FileCase) {
  const service = await small();
  const image = await upload(await service.user(0), scratch);
  const url = image[of];
  const path = join(service.home.store, new URL(url).pathname.slice('/files/'.length));
  const tag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
  const server = createServer(bare(await readFile(path)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bareUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const rate = (target: string) => async (): Promise<number> => {
    const headers = fresh && { 'If-None-Match': tag };
    return requestsPerSecond([{ url: target, ...(headers && { headers }) }], load);
  };
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { ours: rate(url), limit: rate(bareUrl), close };
}

/** Compares nginx in front of the service, serving its files, with nginx alone. */
async function compareBehindNginx({ scratch }: Bench) {
  const location = '/_imgstore/';
  const [port, barePort] = [await freePort(), await freePort()];
  const site = new URL(`http://127.0.0.1:${port}`);
  const service = await BenchService.open(join(scratch, 'accel'), [
    '--files-accel',
    location,
    '--trust-proxy',
    '1',
    '--public-url',
    site.href,
  ]);
  const undo: (() => unknown)[] = [() => service.stop()];
  const scope = { after: (step: () => unknown): void => void undo.push(step) };
  const { store } = service.home;
  const config = nginxConfig({
    upstreams: [new URL(service.url).host],
    site,
    bodyBytes: 1,
    patience: 60,
    keepAlive: 60,
    chained: false,
    remarks: [],
    accel: { location, store },
  });
  await startNginx(scope, config, port);
  const files = `location /files/ { alias ${store}/; sendfile on; tcp_nopush on; }`;
  await startNginx(scope, `server { listen ${barePort}; ${files} }`, barePort);
  const { org_path_url: url } = await upload(await service.user(0), scratch);
  const bareUrl = `http://127.0.0.1:${barePort}${new URL(url).pathname}`;
  const rate = (target: string) => (): Promise<number> =>
    requestsPerSecond([{ url: target }], load);
  const close = async (): Promise<void> => {
    for (const step of undo.reverse()) await step();
  };
  return { ours: rate(url), limit: rate(bareUrl), close };
}
