import { EntitySchema } from 'typeorm';
import { timestamps, type RowOf } from '../../database/columns.js';

export const platformColumns = {
  id: { type: 'uuid', primary: true },
  name: { type: 'text' },
  /** Tokens contain the generation in which they were issued; raising it revokes them all. */
  tokenGeneration: { name: 'token_generation', type: 'integer', default: 1 },
  /** When all tokens were last revoked. */
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  ...timestamps,
  suspendedAt: { name: 'suspended_at', type: 'timestamptz', nullable: true },
  /** Since when it is being deleted; irreversible. */
  deletingAt: { name: 'deleting_at', type: 'timestamptz', nullable: true },
} as const;

export type Platform = RowOf<typeof platformColumns>;

export const PlatformEntity = new EntitySchema<Platform>({
  name: 'platform',
  tableName: 'platforms',
  columns: platformColumns,
  uniques: [{ name: 'platforms_name_key', columns: ['name'] }],
  indices: [
    { name: 'platforms_oldest', columns: ['createdAt', 'id'] },
    { name: 'platforms_suspended', columns: ['suspendedAt'], where: 'suspended_at IS NOT NULL' },
    { name: 'platforms_revoked', columns: ['revokedAt'], where: 'revoked_at IS NOT NULL' },
    { name: 'platforms_deleting', columns: ['deletingAt'], where: 'deleting_at IS NOT NULL' },
  ],
});
