/** What a page still does, and what would be lost with it. */
interface Work {
  /** Names of what is not done. */
  readonly left: () => readonly string[];
  readonly drop: () => void;
}

const works = new Set<Work>();

/** Has the reader asked before the tab is closed, and told once the session is over. */
export const keepWork = (work: Work): void => void works.add(work);

/** Names of all that is not done. */
export const unsent = (): readonly string[] => [...works].flatMap(({ left }) => left());

export function dropUnsent(): void {
  for (const { drop } of works) drop();
}

addEventListener('beforeunload', (event) => {
  if (unsent().length > 0) event.preventDefault();
});
