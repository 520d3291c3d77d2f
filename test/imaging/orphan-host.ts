/** A program for tests: opens a queue, submits a picture that hangs, prints the pid, and waits. */
import { dirname } from 'node:path';
import { startImaging } from '../../src/imaging/start.js';
import { usualImaging } from '../../testkit/imaging-options.js';
import { logger } from '../../testkit/silent-logger.js';
import { gullible } from './support.js';

const path = process.argv[2] ?? '';
const own = { folder: dirname(path), threads: 1, surveyor: gullible, logger };
const queue = await startImaging({ ...usualImaging, ...own });
void queue.process({ path, hash: Buffer.alloc(32) }, 'somebody');
process.stdout.write(`${queue.pids[0]}\n`);
