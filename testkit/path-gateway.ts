import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { presignSignatureV4, signV4 } from 'minio/dist/esm/signing.mjs';
import type { BucketConfig } from '../src/store/s3/bucket.js';

/** Path below which the gateway is an S3 server. */
const basePath = '/storage/v1/s3';

/** `20260131T235959Z`, as SigV4 writes times. */
const timeOf = (stamp: string): Date =>
  new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * A proxy that serves an S3 server below a path: it accepts only requests signed with that path, and
 * signs them again without it.
 */
export async function openPathGateway(target: BucketConfig) {
  const { host, hostname, port } = new URL(target.endpoints[0] ?? '');
  const { accessKey, secretKey, region } = target;

  /** The path and headers for the real server; undefined if the signature is wrong. */
  function resigned({ method = '', url = '', headers }: IncomingMessage) {
    const path = url.slice(basePath.length);
    const { authorization, ...others } = headers as Record<string, string>;
    const stamp = others['x-amz-date'] ?? '';
    if (authorization !== undefined) {
      const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
      const signed = Object.fromEntries(names.map((name) => [name, others[name] ?? '']));
      const sum = others['x-amz-content-sha256'] ?? '';
      const sign = (at: string, over: Record<string, string>): string =>
        signV4(
          { method, protocol: 'http:', path: at, headers: over },
          accessKey,
          secretKey,
          region,
          timeOf(stamp),
          sum,
        );
      if (sign(url, signed) !== authorization) return undefined;
      return { path, headers: { ...others, host, authorization: sign(path, { ...signed, host }) } };
    }
    const [plain = '', signature] = path.split('&X-Amz-Algorithm=');
    if (signature === undefined) return { path, headers: { ...others, host } };
    const query = new URL(url, 'http://gateway').searchParams;
    const presign = (at: string, by: string): URL => {
      const asked = { method: 'GET', protocol: 'http:', path: at, headers: { host: by } };
      const [date, expires] = [query.get('X-Amz-Date') ?? '', query.get('X-Amz-Expires')];
      const time = timeOf(date);
      const seconds = Number(expires);
      return new URL(
        presignSignatureV4(asked, accessKey, secretKey, undefined, region, time, seconds),
      );
    };
    const expected = presign(basePath + plain, headers.host ?? '').searchParams;
    if (expected.get('X-Amz-Signature') !== query.get('X-Amz-Signature')) return undefined;
    const { pathname, search } = presign(plain, host);
    return { path: pathname + search, headers: { ...others, host } };
  }

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const onward = incoming.url?.startsWith(`${basePath}/`) ? resigned(incoming) : undefined;
    if (!onward) {
      answer.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      return;
    }
    const outgoing = ask({ hostname, port, method: incoming.method, ...onward });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    await Promise.all([pipeline(incoming, outgoing), answered]);
    const [real] = await answered;
    answer.writeHead(real.statusCode ?? 502, real.headers);
    await pipeline(real, answer);
  }

  const server = createServer((incoming, answer) => {
    forward(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
