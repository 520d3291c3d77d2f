import { newKey } from '../../../core/new-key';
import type { Dropped } from './dropped';

/** A file to upload. */
export interface Upload extends Dropped {
  /** The same for each attempt, also in another tab, so that the file is stored once. */
  key: string;
  /** The folder that its own folders are in. */
  readonly into: string;
  /** How often sending was started. */
  attempts: number;
  /** Bytes that the last attempt has sent, after those that need not be sent again. */
  sentBytes: number;
  /** SHA-256 of the file, once it is known. */
  hash?: string;
  problem?: unknown;
  /** It is stored, refused, or given up. */
  isOver?: boolean;
  /** It was answered 401 in this session. */
  refused?: boolean;
}

export const newUpload = (dropped: Dropped, into: string): Upload => ({
  ...dropped,
  into,
  key: newKey(),
  attempts: 0,
  sentBytes: 0,
});
