import type { Item } from './listing';

/** Distinguishes what is dragged within the console from files that come from outside. */
const itemsType = 'application/x-imgstore-items';

/** The dragged items: while dragging, browsers expose only their type to drop targets. */
let held: readonly Item[] = [];

export function putItems(event: DragEvent, items: readonly Item[]): void {
  if (!event.dataTransfer) return;
  held = items;
  event.dataTransfer.setData(itemsType, String(items.length));
  event.dataTransfer.effectAllowed = 'move';
}

export const hasItems = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes(itemsType) ?? false;

export const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** Takes dropped items, if they come from the console. */
export function dragged(event: DragEvent, take: (items: readonly Item[]) => void): void {
  if (!hasItems(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const items = held;
  held = [];
  take(items);
}
