import { EntitySchema, type DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { Config } from '../base/config/options.js';
import { badConfiguration } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { createDataSource } from '../database/data-source.js';
import { InstanceEntity } from '../database/instance.js';
import type { OpenDatabase } from '../database/postgres/provision.js';
import { isInvalidParameter, type Queryable, row } from '../database/sql.js';
import * as changes from '../feed/changes/entity.js';
import * as custody from '../feed/custody/entity.js';
import * as webhooks from '../feed/webhooks/entity.js';
import { JobRunEntity } from './job-runs.js';
import { AuditActEntity } from '../http/audit/acts.js';
import * as auth from '../http/auth/entity.js';
import * as idempotency from '../http/idempotency/entity.js';
import * as annotations from '../library/annotations/entity.js';
import * as links from '../library/links/entity.js';
import * as platforms from '../library/platforms/entity.js';
import * as tree from '../library/tree/entity.js';
import * as holds from '../library/holds/entity.js';
import * as folders from '../library/folders/entity.js';
import * as images from '../library/images/entity.js';
import * as kept from '../library/images/kept.entity.js';
import * as quota from '../library/quota/entity.js';
import { ObjectReclaimEntity } from '../library/reclaim/reclaim.js';
import * as resumable from '../library/resumable/entity.js';
import * as statistics from '../library/statistics/entity.js';
import * as uploadSets from '../library/upload-sets/entity.js';
import * as users from '../library/users/entity.js';
import * as verifications from './verify/entity.js';

/** The database with its tables and migrations; not connected yet. */
export const serviceDataSource = (url: string, config: Config, logger?: Logger): DataSource =>
  createDataSource({
    url,
    poolSize: config['database.pool_size'],
    statementTimeoutMs: config['database.statement_timeout'] * secondMs,
    entities,
    migrations,
    ...(logger && { logger }),
  });

/** A database that this process has opened and is connected to. */
export interface ConnectedDatabase {
  readonly db: DataSource;
  readonly url: string;
  readonly server: OpenDatabase;
  /** Also closes `server`. */
  readonly close: () => Promise<void>;
}

/** Connects to a database, which is closed if that fails. */
export async function connectTo(server: OpenDatabase, config: Config): Promise<ConnectedDatabase> {
  const db = serviceDataSource(server.url, config);
  const close = async (): Promise<void> => {
    if (db.isInitialized) await db.destroy();
    await server.close();
  };
  try {
    await db.initialize();
    await assertKnownZone(db, config.timezone);
    return { db, url: server.url, server, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws OperatorError (78) if the database server cannot tell times in a zone. */
export async function assertKnownZone(db: Queryable, zone: string): Promise<void> {
  try {
    await row(db, 'SELECT now() AT TIME ZONE $1', [zone]);
  } catch (cause) {
    if (!isInvalidParameter(cause)) throw cause;
    throw badConfiguration(`The database server does not know the time zone ${zone}.`, {
      setting: 'timezone',
      remedy: `Install all time zones where it runs (Debian: apt install tzdata-legacy), or choose another name: ${commandLine('config', 'set', 'timezone', 'Asia/Seoul')}`,
      cause,
    });
  }
}

/** Every table that the migrations create, as checked by service-database.test.ts. */
export const entities = [
  InstanceEntity,
  ObjectReclaimEntity,
  AuditActEntity,
  JobRunEntity,
  ...[
    changes,
    custody,
    webhooks,
    auth,
    idempotency,
    annotations,
    links,
    platforms,
    tree,
    holds,
    folders,
    images,
    kept,
    quota,
    resumable,
    statistics,
    uploadSets,
    users,
    verifications,
  ].flatMap((module) => Object.values(module).filter((one) => one instanceof EntitySchema)),
];
