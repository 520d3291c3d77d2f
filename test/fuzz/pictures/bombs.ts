import * as bombs from '../../../testkit/bombs.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { Trial } from '../harness/trials.js';
import { upload } from './upload.js';

export interface Bomb {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Those that are slow to create, in smaller sizes that are still expensive to decode. */
const smaller: Partial<Record<keyof typeof bombs, () => Buffer>> = {
  gifOfFrames: () => bombs.gifOfFrames(200_000),
  jpegOfMarkers: () => bombs.jpegOfMarkers(40_000),
  pngInterlaced: () => bombs.pngInterlaced(9_000),
  pngOfChunks: () => bombs.pngOfChunks(40_000),
  pngOfSize: () => bombs.pngOfSize(1, 2_000_000),
  pngOfText: () => bombs.pngOfText(30, 20_000_000),
  tiffOfDirectories: () => bombs.tiffOfDirectories(20_000),
  webpOfChunks: () => bombs.webpOfChunks(40_000),
  webpOfFrames: () => bombs.webpOfFrames(40_000),
};

const made = (makers: Readonly<Record<string, () => Buffer>>): Bomb[] =>
  Object.entries(makers).map(([name, make]) => ({ name, bytes: make() }));

/** All small files that are expensive to decode. Creating them blocks this process for seconds. */
export const allBombs = (): Bomb[] => made(bombs);

/** Smaller ones, which are fast to create. */
export const quickBombs = (): Bomb[] => made({ ...bombs, ...smaller });

/** Uploads each bomb as a different user. */
export async function* bombTrials(
  target: Appliance,
  files: readonly Bomb[],
  tally: Tally,
): AsyncGenerator<Trial> {
  const platform = await target.world.platform();
  for (const { name, bytes } of files) {
    yield upload({ target, tally, user: await platform.user() }, name, bytes);
  }
}
