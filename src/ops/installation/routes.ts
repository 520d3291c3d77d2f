import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import { id, megabytes, timestamp } from '../../http/record-fields.js';

const whenever = timestamp.nullable();
const day = z.int().meta({ description: 'YYYYMMDD', example: 20250131 });

const job = z.object({
  job: z.string(),
  ended_at: timestamp,
  ms: z.int(),
  error: z.string().nullable(),
});

const backup = z.object({
  at: timestamp,
  repository: z.string(),
  objects: z.int(),
  megabytes,
  proved_at: whenever.meta({ description: 'when a drill last proved a backup' }),
});

/** The state of an installation, and of the node that answers. */
const status = z
  .object({
    now: timestamp,
    version: z.string(),
    uptime_seconds: z.int().meta({ description: 'of the node that answers' }),
    time_zone: z.string(),
    parts: z
      .record(z.string(), z.enum(['ok', 'down']))
      .meta({ description: 'as /readyz of this node reports' }),
    database: z.object({ kind: z.enum(['external', 'private']), version: z.string() }),
    store: z.enum(['local', 's3']),
    disk: z
      .object({ free_mb: megabytes, total_mb: megabytes })
      .meta({ description: 'of the home of this node' }),
    machines: z
      .array(z.object({ address: z.string().nullable(), connections: z.int(), since: timestamp }))
      .meta({ description: 'that are connected to the database' }),
    totals: z.object({
      platforms: z.int(),
      users: z.int(),
      images: z.int(),
      stored_mb: megabytes,
    }),
    platforms: z
      .array(
        z.object({
          platform_id: id.nullable(),
          platform: z.string().nullable().meta({ description: 'null: all others together' }),
          platforms: z.int(),
          images: z.int(),
          stored_mb: megabytes,
        }),
      )
      .meta({ description: 'those that store most' }),
    days: z
      .array(z.object({ date: day, uploads: z.int(), grown_mb: megabytes }))
      .meta({ description: 'the last 30, oldest first' }),
    over_quota: z
      .object({
        count: z.int(),
        users: z.array(
          z.object({
            platform_id: id,
            platform: z.string(),
            user_id: id,
            platform_user_id: z.string(),
            used_storage_mb: megabytes,
            max_storage_mb: megabytes,
          }),
        ),
      })
      .meta({ description: 'users whose quota is used up; those who are most beyond it' }),
    reclaim: z.object({
      pending: z.int(),
      due: z.int(),
      failing: z.int().meta({ description: 'that could not be deleted so far' }),
      oldest: whenever,
    }),
    read_only_since: whenever.meta({ description: 'since when maintenance has refused changes' }),
    webhooks: z.object({ active: z.int(), paused: z.int() }),
    differences: z.int().meta({ description: 'objects known to be wrong' }),
    verified_at: whenever,
    jobs: z.array(job).meta({ description: 'the last run of each that has ended' }),
    backup: backup.nullable().meta({ description: 'made from the home of this node' }),
  })
  .meta({ id: 'Status' });
export type Status = z.output<typeof status>;

export const installationOperations = (installation: {
  readonly status: () => Promise<Status>;
}): Operation[] => [
  operation(
    {
      id: 'getStatus',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/status',
      scheme: 'Admin',
      ext: true,
      summary: 'Get the state of the installation; at most five seconds old',
      result: status,
    },
    () => installation.status(),
  ),
];
