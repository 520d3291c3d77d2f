import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** The bytes behind a signed URL. */
export async function bytesOf(address: string): Promise<Buffer> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, `${answer.status} for ${address}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Lowercase hexadecimal SHA-256. */
export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
