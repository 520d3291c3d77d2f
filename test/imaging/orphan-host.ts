/** A program for the tests: opens a room, gives it a picture that hangs, tells the pids, and waits. */
import { startImaging } from '../../src/imaging/start.js';
import { logger } from './support-logger.js';

const room = await startImaging({ threads: 1, logger });
void room.process(process.argv[2] ?? '');
process.stdout.write(`${room.pid}\n`);
