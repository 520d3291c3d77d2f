import { parse, stringify } from 'uuid';

/** The position of an entry in the feed of its platform. */
export interface FeedPosition {
  readonly position: number;
  readonly userId: string;
  readonly seq: number;
}

const bytes = 32;

/** A position as an opaque cursor for clients. */
export function writeCursor({ position, userId, seq }: FeedPosition): string {
  const cursor = Buffer.alloc(bytes);
  cursor.writeBigUInt64BE(BigInt(position), 0);
  cursor.set(parse(userId), 8);
  cursor.writeBigUInt64BE(BigInt(seq), 24);
  return cursor.toString('base64url');
}

/** @returns undefined unless it was written by `writeCursor`. */
export function readCursor(text: string): FeedPosition | undefined {
  const cursor = Buffer.from(text, 'base64url');
  if (cursor.length !== bytes || cursor.toString('base64url') !== text) return undefined;
  const [position, seq] = [Number(cursor.readBigUInt64BE(0)), Number(cursor.readBigUInt64BE(24))];
  if (!Number.isSafeInteger(position) || !Number.isSafeInteger(seq)) return undefined;
  try {
    return { position, userId: stringify(cursor.subarray(8, 24)), seq };
  } catch {
    return undefined; // no UUID of any version
  }
}
