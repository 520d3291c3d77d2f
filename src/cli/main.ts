import { ExitCode } from '../base/errors/operator.js';
import { guarded, ignore } from '../base/guarded.js';
import { dropForeignEnvironment } from '../base/os/run.js';
import { chapters } from './commands.js';
import { runProgram } from './run-program.js';

/**
 * What cannot be written ends nothing, least of all a service. A pipe that its reader has closed, as in
 * `imgstore … | head`, is no failure either; another loss of a result is one.
 * @returns whether a result was lost.
 */
function watchOutput(): () => boolean {
  let lost = false;
  const note = guarded(ignore, ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || lost) return;
    lost = true;
    process.exitCode ||= ExitCode.failure;
    process.stderr.write(`Error: The result cannot be written: ${message}\n`);
  });
  process.stdout.on('error', note);
  const lose = guarded(ignore, ignore);
  process.stderr.on('error', lose);
  return () => lost;
}

dropForeignEnvironment();
process.on('SIGUSR1', guarded(ignore, ignore)); // Node.js would open its debugger
const isLost = watchOutput();
const code = await runProgram(chapters, process.argv.slice(2));
process.exitCode = code || (isLost() ? ExitCode.failure : ExitCode.ok); // it may be lost later
