import { EntitySchema } from 'typeorm';

export interface User {
  id: string;
  platformId: string;
  platformUserId: string;
  maxStorageBytes: number;
  createdAt: Date;
  updatedAt: Date;
}

export const UserEntity = new EntitySchema<User>({
  name: 'user',
  tableName: 'users',
  columns: {
    id: { type: 'uuid', primary: true },
    platformId: { name: 'platform_id', type: 'uuid' },
    platformUserId: { name: 'platform_user_id', type: 'text' },
    maxStorageBytes: { name: 'max_storage_bytes', type: 'bigint' },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true },
  },
});
