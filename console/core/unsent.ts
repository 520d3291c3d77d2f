/** Unfinished work of a page, which would be lost if the tab were closed. */
interface Work {
  /** Names of the unfinished items. */
  readonly left: () => readonly string[];
  readonly drop: () => void;
}

const works = new Set<Work>();

/** Makes the browser ask before the tab is closed, and lists the work once the session has ended. */
export const keepWork = (work: Work): void => void works.add(work);

/** Names of all unfinished items. */
export const unsent = (): readonly string[] => [...works].flatMap(({ left }) => left());

export function dropUnsent(): void {
  for (const { drop } of works) drop();
}

addEventListener('beforeunload', (event) => {
  if (unsent().length > 0) event.preventDefault();
});
