/** The limit beside each row: node:http with no routing, no signature, and two headers. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Sends whole files below `root`; 304 without looking if the client has something.
 * @param bytes size of each file, by its key.
 */
export async function serveBare(root: string, bytes: ReadonlyMap<string, number>): Promise<string> {
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304).end();
      return;
    }
    const [key = ''] = (request.url ?? '').slice('/files/'.length).split('?', 1);
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': bytes.get(key) });
    createReadStream(join(root, key)).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
