import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { failure } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { entityOf, now, only, selectList } from './columns.js';
import { onlyValue, row, rows, type Queryable } from './sql.js';

/** A single row: the installation that the database belongs to, and the location of its objects. */
const instanceColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  id: { type: 'uuid' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  store: { type: 'text', default: 'local' },
  /** During a move, its target; afterward, its source, until that is cleared. */
  second: { name: 'second_store', type: 'text', nullable: true },
  moving: { type: 'boolean', default: false },
  moveStartedAt: { name: 'move_started_at', type: 'timestamptz', nullable: true },
  /** Id of the last version whose objects were copied. */
  movedUpTo: { name: 'moved_up_to', type: 'uuid', nullable: true },
  /** Maintenance: every node refuses changes. */
  readOnlySince: { name: 'read_only_since', type: 'timestamptz', nullable: true },
} as const;

export const InstanceEntity = entityOf('instance', instanceColumns);

/** Where objects can be stored: files in the home directory, or a bucket. */
export type StoreKind = 'local' | 's3';

/** Where the objects of an installation are stored. */
export interface StoreLocation {
  readonly store: StoreKind;
  /** During a move, the store that objects move to; afterwards, the one they came from. */
  readonly second: StoreKind | null;
  readonly moving: boolean;
}

/** The installation that a migrated database belongs to. */
export interface Instance extends StoreLocation {
  readonly id: string;
}

const instanceRow = selectList(only(instanceColumns, 'id', 'store', 'second', 'moving'));

export async function readInstance(db: Queryable): Promise<Instance> {
  const instance = await row<Instance>(db, `SELECT ${instanceRow} FROM instance`);
  if (!instance) {
    throw failure('The database has tables but is not initialized.', {
      setting: 'database.url',
      remedy: commandLine('init'),
    });
  }
  return instance;
}

/** Records the installation once, and where its objects will be stored. */
export async function ensureInstance(db: DataSource, store: StoreKind): Promise<Instance> {
  const instance = { id: uuidv7(), store };
  const insertion = db.createQueryBuilder().insert().into(InstanceEntity).values(instance);
  await insertion.orIgnore().updateEntity(false).execute();
  return readInstance(db);
}

/** Sets where the objects of an installation without objects will be stored. */
export async function setStore(tx: EntityManager, store: StoreKind): Promise<void> {
  await tx.update(InstanceEntity, { singleton: true }, { store });
}

/**
 * Locks the installation row until the transaction ends, for steps that nodes must do one at a
 * time.
 */
export async function lockInstance(tx: Queryable): Promise<void> {
  await rows(tx, 'SELECT FROM instance FOR UPDATE');
}

/** Since when the installation is in maintenance; null outside of it. */
export const readOnlySince = (db: Queryable): Promise<Date | null> =>
  onlyValue(db, 'SELECT read_only_since FROM instance');

/** Begins or ends maintenance, for all nodes. @returns since when it is on. */
export const setReadOnly = (db: Queryable, on: boolean): Promise<Date | null> =>
  onlyValue(
    db,
    `UPDATE instance SET read_only_since = CASE WHEN $1 THEN coalesce(read_only_since, now()) END
     RETURNING read_only_since`,
    [on],
  );
