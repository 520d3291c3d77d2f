import { Random } from '../../../testkit/random.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { Trial } from '../harness/trials.js';
import { corpus, type Sample } from './corpus.js';
import { mutated } from './mutations.js';
import { upload } from './upload.js';

export interface MutationsOptions {
  readonly seed: number;
  readonly count: number;
  readonly tally: Tally;
}

/** The unchanged pictures, then mutated ones. */
export async function* mutationTrials(
  target: Appliance,
  { seed, count, tally }: MutationsOptions,
): AsyncGenerator<Trial> {
  const user = await target.world.user();
  const samples = await corpus();
  const uploading = { target, tally, user };
  for (const { name, bytes } of samples) yield upload(uploading, name, bytes, true);
  for (let n = 0; n < count; n += 1) {
    const random = new Random(seed * 31 + n);
    const sample = samples[n % samples.length] as Sample;
    const other = random.of(samples) ?? sample;
    yield upload(uploading, sample.name, mutated(sample.bytes, other.bytes, random));
  }
}
