import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** Downloads the bytes of a signed URL. */
export async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, `${answer.status} for ${url}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Lowercase hexadecimal SHA-256. */
export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
