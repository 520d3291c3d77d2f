import { Random } from '../../../testkit/random.js';
import { jpeg } from '../../../testkit/pictures.js';
import { answersIn } from '../harness/answers.js';
import { documentedOperations } from '../harness/document.js';
import { createOwnedData, type OwnedData } from '../harness/owned-data.js';
import { exchange, type Exchange } from '../../../testkit/exchange.js';
import { complaintAbout } from '../harness/check-response.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { Trial } from '../harness/trials.js';
import { bytesOf } from '../../../testkit/wire-request.js';
import { composed, validDraft, type Material } from './compose.js';
import { impossibility } from './impossible.js';
import { plan, type Step } from './plan.js';

export interface RequestsOptions {
  readonly seed: number;
  readonly count: number;
  readonly tally: Tally;
}

/** Number of requests after which the estate is replaced, because they use it up. */
const estateLife = 40;

/** Operations that change nothing when valid. */
const reads = /^(GET|HEAD)$/;

/** Operations that delete most of an estate. */
const ends = /^delete(User|Folder)$/;

/** Requests derived from the served document: each operation once valid, then hostile ones. */
export async function* requestTrials(
  target: Appliance,
  { seed, count, tally }: RequestsOptions,
): AsyncGenerator<Trial> {
  const operations = await documentedOperations(target);
  // With a separate platform, since a platform may have few webhooks.
  const furnish = async () => createOwnedData(await target.world.platform());
  const stranger = await furnish();
  const picture = await jpeg({ width: 24, height: 16 });
  let owned: OwnedData | undefined;
  let [used, n] = [0, 0];
  let followsFairRead = true;
  for (const step of plan(operations, count, seed)) {
    const isFairRead = !step.change && reads.test(step.operation.method);
    // Trials run concurrently: valid reads must not be affected by changes meanwhile.
    if (isFairRead !== followsFairRead) owned = undefined;
    followsFairRead = isFairRead;
    while (!owned) {
      owned = await furnish().catch(() => undefined);
      used = 0;
      // Without an answer the service may be dead; the caller handles that.
      if (!owned) yield { name: 'nothing', sent: Buffer.alloc(0), run: async () => undefined };
    }
    const material = { estate: owned, admin: target.world.as, strangers: stranger.ids, picture };
    yield trial(target, step, material, new Random(seed + (n += 1)), tally);
    used += 1;
    const changed = !step.change && !isFairRead;
    if (changed || used === estateLife || ends.test(step.operation.id)) owned = undefined;
  }
}

function trial(
  target: Appliance,
  { operation, change }: Step,
  material: Material,
  random: Random,
  tally: Tally,
): Trial {
  const fair = change === undefined;
  const draft = validDraft(operation, material, random, !fair);
  change?.(draft, material, random);
  const sent = bytesOf(composed(operation, draft, material, random));
  const wrong = impossibility(operation, draft);
  const ending = fair ? ({ then: 'read' } as const) : endingOf(sent, random);
  return {
    name: operation.id,
    sent,
    run: async () => {
      const { bytes, how } = await exchange(target.port, { chunks: [sent], ...ending });
      if (ending.then === 'reset') return void tally.note('broken off');
      if (how === 'late') return 'no end of the answer in time';
      const [answer, ...more] = answersIn(bytes);
      if (!answer) return ending.then === 'end' ? undefined : 'no answer';
      tally.note(String(answer.status));
      if (more.length > 0) return 'more than one answer';
      if (fair && answer.status !== 200) {
        return `as the document says it, and yet ${answer.status} ${answer.body.toString().slice(0, 200)}`;
      }
      if (wrong && answer.status === 200) return `takes ${wrong}`;
      return complaintAbout(answer);
    },
  };
}

/** Most requests are sent completely; some are cut off in different ways. */
function endingOf(sent: Buffer, random: Random): Omit<Exchange, 'chunks'> & Partial<Exchange> {
  const dice = random.below(16);
  if (dice > 1) return { then: 'read' };
  const half = sent.subarray(0, random.below(sent.length));
  return { chunks: [half], then: dice === 0 ? 'reset' : 'end' };
}
