import type { Failure, Refusal, RefusalCode } from '../src/imaging/protocol.js';

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

/** What to answer for a picture on which work ended with `error`. */
export const outcomeOf = (error: unknown): Refusal | Failure =>
  error instanceof Refused
    ? { kind: 'refused', code: error.code, reason: error.message }
    : { kind: 'failed', reason: String(error) };

export const isCorrupt = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'corrupt_image';
