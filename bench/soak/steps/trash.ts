import type { Trash } from '../model.js';
import type { Random } from '../../../testkit/random.js';

/** A random `has_delete_at`, as a query and as its meaning. */
export function askedTrash(random: Random): { trash: Trash; query: Record<string, string> } {
  const trash = random.of([undefined, true, false] as const);
  const word = trash ? 'True' : 'False';
  return { trash, query: trash === undefined ? {} : { has_delete_at: word } };
}
