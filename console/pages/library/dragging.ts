import type { Item } from './listing';

/** Tells what is dragged within the console from files that come from outside. */
const kind = 'application/x-imgstore-items';

/** What is being dragged: browsers show its kind to whoever it passes, and no more. */
let held: readonly Item[] = [];

export function putItems(event: DragEvent, items: readonly Item[]): void {
  if (!event.dataTransfer) return;
  held = items;
  event.dataTransfer.setData(kind, String(items.length));
  event.dataTransfer.effectAllowed = 'move';
}

export const hasItems = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes(kind) ?? false;

export const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** Takes what is dropped, if it is anything of the console's. */
export function dragged(event: DragEvent, take: (items: readonly Item[]) => void): void {
  if (!hasItems(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const items = held;
  held = [];
  take(items);
}
