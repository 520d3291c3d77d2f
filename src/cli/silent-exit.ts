import { ExitCode } from '../base/errors/operator.js';

/**
 * Ends a command with an exit code after its result or a log entry has already given the reason.
 */
export class SilentExit extends Error {
  override readonly name = 'SilentExit';

  constructor(readonly exitCode: number = ExitCode.failure) {
    super('already reported');
  }
}
