import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import { flag } from '../../http/request-fields.js';
import { StreamedResponse, writeChunk } from '../../http/streamed-response.js';
import type { Proofs } from './proofs.js';

const proofQuery = z.object({
  full: flag
    .default(false)
    .meta({ description: 'with all entries, instead of the first and the newest 19' }),
});

const text = 'text/plain; charset=utf-8';
const octets = 'application/octet-stream';

const sent = (body: string | Buffer, caching: string): StreamedResponse =>
  new StreamedResponse({ 'Cache-Control': caching }, async (destination, signal) => {
    await writeChunk(destination, body, signal);
    destination.end();
  });

/** What tiles have stays, but a new log has the same addresses. */
const [forMoments, forMinutes] = ['private, max-age=2', 'private, max-age=300'];

const ofLog = {
  method: 'get',
  scheme: 'Platform',
  allow: ['read'],
  ext: true,
  bare: true,
  published: true,
  errors: ['not_found'],
} as const;

export const custodyOperations = (proofs: Proofs): Operation[] => [
  operation(
    {
      id: 'getProof',
      method: 'get',
      path: '/api/v1/users/:user_id/images/:image_id/proof',
      scheme: 'User',
      allow: ['read'],
      ext: true,
      bare: true,
      summary: 'Get the proof of what has happened to an image, for others to check',
      query: proofQuery,
      result: z.string(),
      stream: text,
      errors: ['image_not_found'],
    },
    async ({ path, input }) =>
      sent(await proofs.of(path.image_id, input.full, path.user_id), 'no-store'),
  ),
  operation(
    {
      ...ofLog,
      id: 'getLogCheckpoint',
      path: '/log/:platform_id/checkpoint',
      summary: "Get the newest checkpoint of the platform's log",
      result: z.string(),
      stream: text,
    },
    async ({ path }) => sent((await proofs.log(path.platform_id)).checkpoint, forMoments),
  ),
  operation(
    {
      ...ofLog,
      id: 'getLogKey',
      path: '/log/:platform_id/key',
      summary: "Get the key that verifies the checkpoints of the platform's log",
      result: z.string(),
      stream: text,
    },
    async ({ path }) => sent(`${(await proofs.log(path.platform_id)).key}\n`, forMoments),
  ),
  operation(
    {
      ...ofLog,
      id: 'getLogTile',
      path: '/log/:platform_id/tile/:level/:index',
      takesRest: true,
      summary: "Get hashes or entries of the platform's log",
      result: z.string().meta({ format: 'binary' }),
      stream: octets,
    },
    async ({ path }) =>
      sent(await proofs.tile(path.platform_id, path.level, path.index), forMinutes),
  ),
];
