import type { Random } from '../../testkit/random.js';
import type { Trash } from './model.js';
import type { SimulatedUser } from './simulated-user.js';

/** An action of a user; it must keep the model consistent with the server. */
export interface Step {
  readonly name: string;
  /** Number of occurrences in the deck. */
  readonly weight: number;
  /** @param others all users of all platforms. */
  readonly run: (user: SimulatedUser, others: readonly SimulatedUser[]) => Promise<void>;
}

export const step = (weight: number, name: string, run: Step['run']): Step => ({
  name,
  weight,
  run,
});

/** A random `has_delete_at`, as a query and as its meaning. */
export function askedTrash(random: Random): { trash: Trash; query: Record<string, string> } {
  const trash = random.of([undefined, true, false] as const);
  const word = trash ? 'True' : 'False';
  return { trash, query: trash === undefined ? {} : { has_delete_at: word } };
}
