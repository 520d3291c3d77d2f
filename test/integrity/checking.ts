import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { verifyObjects, type Verified, type VerifyParts } from '../../src/ops/verify/verify.js';
import { objectsOf } from '../../src/store/object-key.js';
import { versionBatches } from '../../src/library/reclaim/version-objects.js';
import type { TestService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

/** Verifies like the command, but without a grace period. */
export const check = (
  { db, service }: Pick<TestService, 'db' | 'service'>,
  options: Partial<VerifyParts> = {},
): Promise<Verified> =>
  verifyObjects({
    db,
    store: service.store,
    graceMs: 0,
    report: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });

/** The findings for a user's objects: types and keys. */
export const findingsOf = (user: Member, { differences }: Verified): string[][] =>
  differences
    .filter((found) => found.key.includes(user.id))
    .map(({ kind, key }) => [kind, key])
    .sort();

/** The keys of an image's objects: original, display if there is one, thumbnail. */
export async function keysOf({ db }: Pick<TestService, 'db'>, imageId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const versions of versionBatches(db, { limit: 100 })) {
    for (const version of versions.filter((v) => v.imageId === imageId)) {
      keys.push(...objectsOf(version).map(({ key }) => key));
    }
  }
  return keys;
}

/** Puts an orphan into a local store. @returns its key. */
export async function strayFile(
  { home }: Pick<TestService, 'home'>,
  key: string,
  bytes: string | Buffer = 'of nobody',
): Promise<string> {
  const path = join(home.store, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return key;
}

/** Settings to read everything as fast as possible. */
export const allBytes = { budget: Infinity, rest: 0 };
