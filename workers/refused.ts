import type { RefusalCode } from '../src/imaging/protocol.js';

/** Thrown while working on a picture that is not accepted; `message` goes to the log only. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly code: RefusalCode,
    reason: string,
  ) {
    super(reason);
  }
}

export const isCorrupt = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'corrupt_image';
