import { ExitCode } from '../errors/operator.js';

/** Ends a command with an exit code after its result, or a log, has said why. */
export class AlreadyTold extends Error {
  override readonly name = 'AlreadyTold';

  constructor(readonly exitCode: number = ExitCode.failure) {
    super('told already');
  }
}
