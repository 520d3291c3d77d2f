import { violatedCheck } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { toMegabytes } from '../units.js';

/** What one image may have. */
export interface AnnotationLimits {
  readonly memos: number;
  readonly customs: number;
  /** Bytes of messages, keys and values together, in UTF-8. */
  readonly textBytes: number;
}

/** As the triggers read them, which refuse what grows past a limit (migration 12). */
export const told = ({ memos, customs, textBytes }: AnnotationLimits): string =>
  `{${memos},${customs},${textBytes}}`;

/** What a refused statement was to write. */
interface Written {
  /** The request field with the text. */
  readonly field: string;
  readonly limits: AnnotationLimits;
}

/** Turns the refusal of a trigger into the error of the catalogue; other errors stay what they are. */
export function refusalOf(error: unknown, { field, limits }: Written): unknown {
  const code = violatedCheck(error);
  switch (code) {
    case 'too_many_memos':
      return refusal(code, `An image can have ${limits.memos} memos at most.`, field, error);
    case 'too_many_customs':
      return refusal(code, `An image can have ${limits.customs} customs at most.`, field, error);
    case 'too_much_text': {
      const megabytes = toMegabytes(limits.textBytes);
      const message = `The memos and customs of an image can hold ${megabytes} MB of text at most.`;
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
