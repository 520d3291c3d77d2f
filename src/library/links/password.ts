import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { secondMs } from '../../base/units.js';
import { FairSemaphore } from '../../database/fairness.js';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

const saltBytes = 16;
const keyBytes = 32;

/** Whose link it is. */
export interface PasswordOwner {
  readonly platformId: string;
  /** The user, or those who bear the user's links. */
  readonly caller: string;
}

/** One at a time of a caller, so that each has a place among the others of its platform. */
const ofCallers = new FairSemaphore({
  total: Infinity,
  perCaller: 1,
  waiting: 32,
  waitMs: 10 * secondMs,
});

/** One at a time of a platform: each takes some 50 ms of a core and 16 MB. */
const ofPlatforms = new FairSemaphore({
  total: 2,
  perCaller: 1,
  waiting: Infinity,
  waitMs: 10 * secondMs,
});

/** @throws ServiceError `unavailable` if the caller or its platform has too many passwords hashed. */
const hashed = (password: string, salt: Buffer, { platformId, caller }: PasswordOwner) =>
  ofCallers.run(caller, () =>
    ofPlatforms.run(platformId, () => derive(password.normalize('NFC'), salt, keyBytes)),
  );

/** The salt and the scrypt of a password. */
export async function hashPassword(password: string, owner: PasswordOwner): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  return Buffer.concat([salt, await hashed(password, salt, owner)]);
}

/** Whether a password is the one that was hashed. */
export async function isPassword(
  password: string,
  stored: Buffer,
  owner: PasswordOwner,
): Promise<boolean> {
  const actual = await hashed(password, stored.subarray(0, saltBytes), owner);
  return timingSafeEqual(actual, stored.subarray(saltBytes));
}
