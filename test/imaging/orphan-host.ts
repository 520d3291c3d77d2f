/** A program for the tests: opens a queue, gives it a picture that hangs, tells the pids, and waits. */
import { startImaging } from '../../src/imaging/start.js';
import { logger } from './support-logger.js';

const queue = await startImaging({ threads: 1, logger });
void queue.process(process.argv[2] ?? '');
process.stdout.write(`${queue.pid}\n`);
