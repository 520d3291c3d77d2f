import { violatedCheck } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { toMegabytes } from '../units.js';

/** Limits on what one image may carry. */
export interface AnnotationLimits {
  readonly memos: number;
  readonly customs: number;
  /** Total bytes of messages, keys, and values, in UTF-8. */
  readonly textBytes: number;
}

/** In the form read by the triggers, which reject growth past a limit (migration 12). */
export const limitsText = ({ memos, customs, textBytes }: AnnotationLimits): string =>
  `{${memos},${customs},${textBytes}}`;

/** The context of a rejected statement. */
interface Written {
  /** The request field that holds the text. */
  readonly field: string;
  readonly limits: AnnotationLimits;
}

/** Maps a rejection by the triggers to the catalogue's error; returns other errors unchanged. */
export function limitErrorOf(error: unknown, { field, limits }: Written): unknown {
  const code = violatedCheck(error);
  switch (code) {
    case 'too_many_memos':
      return refusal(code, `An image can have at most ${limits.memos} memos.`, field, error);
    case 'too_many_customs':
      return refusal(code, `An image can have at most ${limits.customs} customs.`, field, error);
    case 'too_much_text': {
      const megabytes = toMegabytes(limits.textBytes);
      const message = `The memos and customs of an image can hold at most ${megabytes} MB of text.`;
      return refusal(code, message, field, error);
    }
    default:
      return error;
  }
}

const refusal = (
  code: 'too_many_memos' | 'too_many_customs' | 'too_much_text',
  message: string,
  field: string,
  cause: unknown,
): ServiceError => new ServiceError(code, { message, field, cause });
