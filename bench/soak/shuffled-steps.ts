import { folderSteps } from './steps/folders.js';
import { groupSteps } from './steps/groups.js';
import { imageSteps } from './steps/images.js';
import { listSteps } from './steps/lists.js';
import { noteSteps } from './steps/notes.js';
import { platformSteps } from './steps/platforms.js';
import { searchSteps } from './steps/searches.js';
import { unauthorizedSteps } from './steps/unauthorized.js';
import { uploadSteps } from './steps/uploads.js';
import type { Random } from '../../testkit/random.js';
import type { Step } from './step.js';

const steps: readonly Step[] = [
  ...uploadSteps,
  ...imageSteps,
  ...folderSteps,
  ...noteSteps,
  ...listSteps,
  ...searchSteps,
  ...groupSteps,
  ...platformSteps,
  ...unauthorizedSteps,
];

const cards = steps.flatMap((step) => Array.from({ length: step.weight }, () => step));

/** An endless sequence of steps; each deck has all of them, in random order. */
export function* shuffledSteps(random: Random): Generator<Step, never> {
  for (;;) yield* random.shuffled(cards);
}
