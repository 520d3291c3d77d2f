import assert from 'node:assert/strict';
import { done } from './expect.js';
import { sha256 } from './fetch.js';
import type { UploadSet } from './records.js';
import { picture, type Member } from './world.js';

/** A file and its SHA-256. */
export interface Shot {
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Small pictures that differ from all others of this run. */
export const shots = (count: number): Promise<Shot[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = await picture();
      return { bytes, hash: sha256(bytes) };
    }),
  );

/** Creates an upload set for these files. */
export const openSet = async (
  user: Member,
  files: readonly Shot[],
  fields: Record<string, string> = {},
): Promise<UploadSet> => {
  const json = { ...fields, hashes: files.map(({ hash }) => hash) };
  return done(await user.call<UploadSet>('POST', '/upload-sets', { json }));
};

/** Reads a set, and checks that its fields are consistent. */
export async function readSet(user: Member, { id }: Pick<UploadSet, 'id'>) {
  const set = done(await user.get<Required<UploadSet>>(`/upload-sets/${id}`));
  const { state, expected, arrived, missing, completed_at } = set;
  assert.equal(missing.length, expected - arrived);
  assert.equal(state, missing.length === 0 ? 'complete' : 'open');
  assert.equal(completed_at !== null, state === 'complete');
  return set;
}

/** The state, the number of arrived files, and the missing ones. */
export async function progressOf(user: Member, set: Pick<UploadSet, 'id'>) {
  const { state, arrived, missing } = await readSet(user, set);
  return [state, arrived, missing];
}
