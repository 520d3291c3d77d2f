import * as bombs from '../../support/bombs.js';
import type { Tally } from '../hunt/tally.js';
import type { Target } from '../hunt/target.js';
import type { Trial } from '../hunt/trials.js';
import { upload } from './upload.js';

/** All small files that cost a decoder much, each by a user of its own. */
export async function* bombTrials(target: Target, tally: Tally): AsyncGenerator<Trial> {
  const platform = await target.platform();
  for (const [name, make] of Object.entries(bombs)) {
    const user = await target.user(platform);
    yield upload({ target, tally, user }, name, (make as () => Buffer)());
  }
}
