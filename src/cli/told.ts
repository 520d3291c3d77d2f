import { ExitCode } from '../errors/operator.js';

/** Ends a command with an exit code after its result, which says why, has been printed. */
export class AlreadyTold extends Error {
  override readonly name = 'AlreadyTold';

  constructor(readonly exitCode: ExitCode = ExitCode.failure) {
    super('the result tells it');
  }
}
