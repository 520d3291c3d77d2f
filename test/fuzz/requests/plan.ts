import { Random } from '../../../testkit/random.js';
import type { DocumentedOperation, Field } from '../harness/document.js';
import { spoil, type Draft, type Material } from './compose.js';
import { sweptValues, type HostileValue } from './hostile.js';

/** A draft for an operation, valid unless changed. */
export interface Step {
  readonly operation: DocumentedOperation;
  readonly change?: (draft: Draft, material: Material, random: Random) => void;
}

/**
 * Operations of which no valid request can be derived from the document: they take a one-time code, a
 * session or its cookie, an address from another answer, an image in the trash, or one of two fields.
 */
const underivable: ReadonlySet<string> = new Set([
  'exchangeConsoleCode',
  'renewConsoleSession',
  'signOut',
  'getLinkArchive',
  'deleteFromTrash',
  'setIdentity',
]);

function* sweep(operations: readonly DocumentedOperation[]): Generator<Step> {
  for (const operation of operations) {
    for (const place of ['query', 'body'] as const) {
      for (const field of operation[place].filter(({ schema }) => schema.format !== 'binary')) {
        for (const value of sweptValues) {
          yield { operation, change: (draft) => set(draft, place, field, value) };
        }
      }
    }
  }
}

function set(draft: Draft, place: 'query' | 'body', { name }: Field, value: HostileValue): void {
  draft[place] = [...draft[place].filter(([other]) => other !== name), [name, value]];
}

/**
 * Each operation once with a valid request; then every field with each of the worst values, in at most
 * half of the steps; then one to three hostile changes at a time, anywhere.
 */
export function* plan(
  operations: readonly DocumentedOperation[],
  count: number,
  seed: number,
): Generator<Step> {
  const random = new Random(seed);
  for (const operation of operations) if (!underivable.has(operation.id)) yield { operation };
  const swept = random.shuffled([...sweep(operations)]).slice(0, Math.floor(count / 2));
  yield* swept;
  for (let left = count - operations.length - swept.length; left > 0; left -= 1) {
    const operation = random.of(operations);
    if (operation) yield { operation, change: (...draft) => spoilSome(operation, ...draft) };
  }
}

function spoilSome(
  operation: DocumentedOperation,
  draft: Draft,
  material: Material,
  random: Random,
): void {
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    spoil(draft, operation, material, random);
  }
}
