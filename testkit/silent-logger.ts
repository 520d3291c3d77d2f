import { createLogger } from '../src/base/telemetry/logger.js';

/** A silent logger: the tests provoke every error on purpose. */
export const logger = createLogger({ level: 'error', format: 'text' });
logger.silent = true;
