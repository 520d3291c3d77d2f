import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BucketConfig } from '../src/store/s3/bucket.js';
import { run } from '../src/base/os/run.js';
import type { Scope } from './scope.js';

/** What passes through a gateway; a change replaces it. */
export interface Passing {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface GatewayChanges {
  /** Changes the body of a request on the way to the server, or answers it in the server's place. */
  readonly request?: (
    request: Passing,
  ) => Buffer | GatewayAnswer | undefined | Promise<GatewayAnswer | undefined>;
  /** Changes the answer of the server. */
  readonly answer?: (answer: GatewayAnswer, request: Passing) => GatewayAnswer | undefined;
  /** Key and certificate, to speak TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/**
 * A gateway to the real S3 server that changes single requests or answers, as a broken network, a
 * proxy, or another server would. @returns the bucket behind it.
 */
export async function behindGateway(
  scope: Scope,
  target: BucketConfig,
  changes: GatewayChanges,
): Promise<BucketConfig> {
  const { hostname, port } = new URL(target.endpoints[0] ?? '');

  async function answerTo(incoming: IncomingMessage): Promise<GatewayAnswer> {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await buffer(incoming) };
    const changed = await changes.request?.(request);
    if (changed && 'status' in changed) return changed;
    // The signature covers the host that the client asked.
    const onward = http.request({ hostname, port, method, path: url, headers });
    onward.end(changed ?? request.body);
    const [from] = (await once(onward, 'response')) as [IncomingMessage];
    const body = await buffer(from);
    const answer = { status: from.statusCode ?? 502, headers: from.headers, body };
    return changes.answer?.(answer, request) ?? answer;
  }

  const listener: RequestListener = (incoming, outgoing) => {
    answerTo(incoming).then(
      ({ status, headers, body }) => {
        const sent = { ...headers, 'content-length': String(body.length) };
        delete sent['transfer-encoding'];
        outgoing.writeHead(status, incoming.method === 'HEAD' ? headers : sent);
        outgoing.end(body);
      },
      () => outgoing.destroy(),
    );
  };
  const server = changes.tls ? https.createServer(changes.tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const scheme = changes.tls ? 'https' : 'http';
  const endpoint = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...target, endpoints: [endpoint] };
}

/** A key, and a certificate for it that nobody trusts. */
export async function selfSigned(scope: Scope): Promise<{ key: string; cert: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-tls-'));
  scope.after(() => rm(dir, { recursive: true }));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const script = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \\
    -subj /CN=gateway -keyout "$1" -out "$2"`;
  const { code, output } = await run('/bin/sh', ['-c', script, 'sh', key, cert]);
  if (code !== 0) throw new Error(output);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

/** An S3 answer with this error. */
export const s3Error = (status: number, code: string, message = 'no'): GatewayAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  ),
});
