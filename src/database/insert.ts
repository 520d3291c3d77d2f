import type { EntityManager, EntitySchema, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/**
 * Inserts a row. Unlike `EntityManager.insert` it does not read back what the database filled in,
 * and leaves the object as it is.
 */
export const insert = <Row extends ObjectLiteral>(
  db: Pick<EntityManager, 'createQueryBuilder'>,
  entity: EntitySchema<Row>,
  row: QueryDeepPartialEntity<Row>,
): Promise<unknown> =>
  db.createQueryBuilder().insert().into(entity).values(row).updateEntity(false).execute();
