import { EntitySchema } from 'typeorm';

export interface Platform {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

export const PlatformEntity = new EntitySchema<Platform>({
  name: 'platform',
  tableName: 'platforms',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true },
  },
});
