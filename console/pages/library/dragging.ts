import type { Things } from './listing';

/** Whether fingers act: they would drag what they hold. Such devices have a camera, too. */
export const isTouched = matchMedia('(pointer: coarse)').matches;

/** Distinguishes what is dragged within the console from files that come from outside. */
const thingsType = 'application/x-imgstore-items';

/** The dragged things: while dragging, browsers expose only their type to drop targets. */
let held: Things = { images: [] };

export function putThings(event: DragEvent, things: Things): void {
  if (!event.dataTransfer) return;
  held = things;
  event.dataTransfer.setData(thingsType, String(things.images.length));
  event.dataTransfer.effectAllowed = 'move';
}

export const hasThings = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes(thingsType) ?? false;

export const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** Takes dropped things, if they come from the console. */
export function dragged(event: DragEvent, take: (things: Things) => void): void {
  if (!hasThings(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const things = held;
  held = { images: [] };
  take(things);
}
