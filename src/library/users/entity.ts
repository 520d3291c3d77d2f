import { entityOf, timestamps } from '../../database/columns.js';
import { sequenceColumns, grantColumns, usageColumns } from '../quota/entity.js';

export const userColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  platformUserId: { name: 'platform_user_id', type: 'text' },
  ...timestamps,
  ...usageColumns,
  ...sequenceColumns,
  ...grantColumns,
  /**
   * Incremented with every change of what maps show; maintained by triggers on images
   * (docs/adr/0013).
   */
  mapVersion: { name: 'map_version', type: 'bigint', default: 0 },
  suspendedAt: { name: 'suspended_at', type: 'timestamptz', nullable: true },
} as const;

export const UserEntity = entityOf('users', userColumns);
