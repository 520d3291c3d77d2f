import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { secondMs } from '../../base/units.js';
import { FairSemaphore } from '../../database/fairness.js';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

const saltBytes = 16;
const keyBytes = 32;

// Each takes some 50 ms of a core and 16 MB.
const turns = new FairSemaphore({ total: 2, perCaller: 1, waiting: 32, waitMs: 10 * secondMs });

/** @throws ServiceError `unavailable` if the caller has too many passwords hashed at once. */
async function hashed(password: string, salt: Buffer, caller: string): Promise<Buffer> {
  const turn = turns.acquire(caller);
  if (turn) await turn;
  try {
    return await derive(password.normalize('NFC'), salt, keyBytes);
  } finally {
    turns.release(caller);
  }
}

/** The salt and the scrypt of a password. @param caller who has it hashed. */
export async function hashPassword(password: string, caller: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  return Buffer.concat([salt, await hashed(password, salt, caller)]);
}

/** Whether a password is the one that was hashed. */
export async function isPassword(
  password: string,
  stored: Buffer,
  caller: string,
): Promise<boolean> {
  const actual = await hashed(password, stored.subarray(0, saltBytes), caller);
  return timingSafeEqual(actual, stored.subarray(saltBytes));
}
