import type { Failure, Refusal, RefusalCode } from '../src/imaging/protocol.js';

/** Thrown for an image that is rejected; `message` is only logged. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly code: RefusalCode,
    reason: string,
  ) {
    super(reason);
  }
}

/** The response for an image whose processing ended with `error`. */
export const outcomeOf = (error: unknown): Refusal | Failure =>
  error instanceof Refused
    ? { kind: 'refused', code: error.code, reason: error.message }
    : { kind: 'failed', reason: String(error) };

export const isCorrupt = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'corrupt_image';
