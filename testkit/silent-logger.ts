import { createLogger } from '../src/telemetry/logger.js';

/** A logger that says nothing: the tests provoke every error on purpose. */
export const logger = createLogger({ level: 'error', format: 'text' });
logger.silent = true;
