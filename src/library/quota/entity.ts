import { EntitySchema } from 'typeorm';
import { reference } from '../../database/table.js';
import type { RowOf } from '../../database/table.js';

/** The limits of a platform, and what is left of them (docs/adr/0004). */
export const limitColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  maxBytes: { name: 'max_bytes', type: 'bigint', nullable: true },
  maxImages: { name: 'max_images', type: 'bigint', nullable: true },
  maxUsers: { name: 'max_users', type: 'bigint', nullable: true },
  /** Neither stored by a user nor granted to one; negative if more is stored than allowed. */
  freeBytes: { name: 'free_bytes', type: 'bigint', default: 0 },
  freeImages: { name: 'free_images', type: 'bigint', default: 0 },
  freeUsers: { name: 'free_users', type: 'bigint', default: 0 },
} as const;

export const PlatformLimitsEntity = new EntitySchema<RowOf<typeof limitColumns>>({
  name: 'platform_limits',
  tableName: 'platform_limits',
  columns: limitColumns,
  checks: [
    {
      name: 'platform_limits_max_check',
      expression: '((max_bytes >= 0) AND (max_images >= 0) AND (max_users >= 0))',
    },
  ],
  foreignKeys: [reference('platform_limits_platform_id_fkey', 'platforms', { platformId: 'id' })],
});
