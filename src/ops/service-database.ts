import type { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { Config } from '../base/config/options.js';
import { createDataSource } from '../database/data-source.js';
import { entities } from './entities.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';

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
