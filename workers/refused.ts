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

/**
 * The response for an image whose processing ended with `error`. Only a failed system call is the
 * service's fault: any other unexpected error has its cause in the image, and would be the same at
 * the next attempt.
 */
export function outcomeOf(error: unknown): Refusal | Failure {
  if (error instanceof Refused) {
    return { kind: 'refused', code: error.code, reason: error.message };
  }
  if (error instanceof Error && 'syscall' in error)
    return { kind: 'failed', reason: String(error) };
  return { kind: 'refused', code: 'unsupported_image', reason: `unexpected: ${String(error)}` };
}

export const isCorrupt = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'corrupt_image';
