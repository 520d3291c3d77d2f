import * as bombs from '../../../testkit/bombs.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Target } from '../../../testkit/target.js';
import type { Trial } from '../harness/trials.js';
import { upload } from './upload.js';

export interface Bomb {
  readonly name: string;
  readonly bytes: Buffer;
}

/** All small files that cost a decoder much. Takes seconds, in which nothing else goes on here. */
export const allBombs = (): Bomb[] =>
  Object.entries(bombs).map(([name, make]) => ({ name, bytes: make() }));

/** Uploads each, by a user of its own. */
export async function* bombTrials(
  target: Target,
  files: readonly Bomb[],
  tally: Tally,
): AsyncGenerator<Trial> {
  const platform = await target.platform();
  for (const { name, bytes } of files) {
    yield upload({ target, tally, user: await target.user(platform) }, name, bytes);
  }
}
