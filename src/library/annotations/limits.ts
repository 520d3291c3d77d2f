import { violatedCheck, violationDetail } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { PlatformLimits } from '../quota/platform-limits.js';
import { toMegabytes } from '../../base/units.js';

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
  readonly platformLimits: PlatformLimits;
}

/**
 * Maps a rejection by the triggers to the catalogue's error, or to NoCapacity if the platform seems to
 * be full; returns other errors unchanged.
 */
export function limitErrorOf(error: unknown, written: Written): unknown {
  const { field, limits } = written;
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
    case 'storage_quota_exceeded':
      return new ServiceError(code, { message: quotaMessage, field, cause: error });
    case 'platform_limit_exceeded': {
      const [platformId = '', bytes] = violationDetail(error)?.split(' ') ?? [];
      const demand = { bytes: Number(bytes), images: 0, users: 0 };
      return written.platformLimits.noCapacity(platformId, demand);
    }
    default:
      return error;
  }
}

const quotaMessage =
  "The text does not fit into the user's storage quota, which counts it with the files, trash included. Shorten it, delete something for good, or raise max_storage_mb.";

const refusal = (
  code: 'too_many_memos' | 'too_many_customs' | 'too_much_text',
  message: string,
  field: string,
  cause: unknown,
): ServiceError => new ServiceError(code, { message, field, cause });
