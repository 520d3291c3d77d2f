import { forget, placesOf, readKept } from './kept';
import { go, hrefOf } from './router';

/** Something that is not finished. */
export interface Unfinished {
  readonly key: string;
  readonly name: string;
}

/** Unfinished work of a page, which would be lost if the tab were closed. */
interface Work {
  readonly left: () => readonly Unfinished[];
  readonly drop: () => void;
}

const works = new Set<Work>();

/** Makes the browser ask before the tab is closed, and lists the work once the session has ended. */
export const keepWork = (work: Work): void => void works.add(work);

/** All that is unfinished in this tab. */
export const unsent = (): readonly Unfinished[] => [...works].flatMap(({ left }) => left());

export function dropUnsent(): void {
  for (const { drop } of works) drop();
}

/** What libraries keep in this browser. */
const keptOfLibraries = () => readKept(placesOf('library '));

/** What signing out throws away: also what earlier tabs have left. */
export async function thrownAway(): Promise<readonly Unfinished[]> {
  const all = [...(await keptOfLibraries()), ...unsent()];
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

/** Leaves nothing of who was signed in on this machine. */
export async function forgetUser(): Promise<void> {
  dropUnsent();
  go('/', { replace: true }); // a search may name somebody
  for (const { key } of await keptOfLibraries()) await forget(key);
  await fetch(hrefOf('/signed-out')).catch(() => undefined);
}

addEventListener('beforeunload', (event) => {
  if (unsent().length > 0) event.preventDefault();
});
