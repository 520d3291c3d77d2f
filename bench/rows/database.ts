import { onlyValue } from '../../src/database/sql.js';
import type { Row } from '../harness/row.js';

/** Bytes of all tables and indexes, of which nearly all are of images. */
const sizeSql = `
  SELECT sum(pg_total_relation_size(oid))::float8 / (SELECT count(*) FROM images)
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** What an image takes in the database. */
export const databaseRow = (images: number): Row => ({
  name: 'database',
  title: `An image's rows and indexes, of ${images.toLocaleString('en')}`,
  unit: 'KB',
  goal: { atMost: 3 },
  open: async ({ large }) => {
    const service = await large();
    await service.user(images);
    const { db } = service;
    return { ours: async () => (await onlyValue<number>(db, sizeSql)) / 1024 };
  },
});
