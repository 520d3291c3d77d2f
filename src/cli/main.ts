import { guarded } from '../base/guarded.js';
import { dropForeignEnvironment } from '../base/os/run.js';
import { chapters } from './commands.js';
import { runProgram } from './run-program.js';

/**
 * A pipe that its reader has closed, as in `imgstore … | head`, is not a failure: nobody misses what
 * is written later. A service keeps serving without a reader.
 */
function ignoreBrokenPipes(): void {
  const fail = (error: unknown): void => {
    throw error;
  };
  const handle = guarded(fail, (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.on('error', handle);
  process.stderr.on('error', handle);
}

dropForeignEnvironment();
ignoreBrokenPipes();
process.exitCode = await runProgram(chapters, process.argv.slice(2));
