import type { Box, Extent, Zoom } from '../stage/zoom';

/** What a pointer does to the picture: moves it, or draws. */
export const tools = ['move', 'pen', 'arrow', 'rectangle', 'ellipse', 'text'] as const;
export type Tool = (typeof tools)[number];

/** Each is a color of the design, `--ink-red` and so on. */
export const inks = ['red', 'yellow', 'green', 'blue', 'white', 'black'] as const;
export type Ink = (typeof inks)[number];

/** Widths of lines, in steps of the thinnest. */
export const widths = [1, 2, 4] as const;
export type Width = (typeof widths)[number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Something drawn on a picture; its numbers are pixels of the picture. */
export interface Mark {
  readonly tool: Exclude<Tool, 'move'>;
  readonly ink: Ink;
  /** Of its line; the size of a text follows from it. */
  readonly width: number;
  /** The way of a pen; two corners or ends; the middle of the left edge of a text. */
  readonly points: readonly Point[];
  readonly text?: string;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The width of a line that looks the same on pictures of any size. */
export const lineOf = ({ width, height }: Box, steps: Width): number =>
  Math.max(1, (Math.max(width, height) * steps) / 400);

/** The height of the letters of a text. */
export const lettersOf = (line: number): number => line * 6;

/** Where a picture lies in its frame: its pixels times a factor, and an offset. */
export interface Placement extends Point {
  readonly by: number;
}

export function placementOf(picture: Box, { frame, shown }: Extent, zoom: Zoom): Placement {
  const by = (shown.width / picture.width) * zoom.scale;
  return {
    by,
    x: (frame.width - picture.width * by) / 2 + zoom.x,
    y: (frame.height - picture.height * by) / 2 + zoom.y,
  };
}

/** The point of the picture at one of its frame. */
export const pointAt = ({ by, x, y }: Placement, at: Point): Point => ({
  x: (at.x - x) / by,
  y: (at.y - y) / by,
});

/** A mark as a pointer goes on. A pen leaves out points that would not be seen. */
export function extended(mark: Mark, to: Point): Mark {
  const [first = to] = mark.points;
  if (mark.tool !== 'pen') return { ...mark, points: [first, to] };
  const last = mark.points.at(-1) ?? first;
  return distance(last, to) < mark.width / 4 ? mark : { ...mark, points: [...mark.points, to] };
}

/** Whether there is anything to see: a click with a pen is a dot, one with a shape is nothing. */
export function isSeen({ tool, points, text, width }: Mark): boolean {
  if (tool === 'text') return text !== undefined && text.trim() !== '';
  const [from, to] = [points[0], points.at(-1)];
  return tool === 'pen' || (from !== undefined && to !== undefined && distance(from, to) > width);
}

/** The tip of an arrow and the two other corners of its head, and where its line ends. */
export function arrowOf(from: Point, to: Point, width: number) {
  const length = distance(from, to);
  const [x, y] = length > 0 ? [(to.x - from.x) / length, (to.y - from.y) / length] : [1, 0];
  const head = Math.min(length, width * 5);
  const end = { x: to.x - x * head, y: to.y - y * head };
  const half = head / 2;
  const corners = [
    { x: end.x - y * half, y: end.y + x * half },
    { x: end.x + y * half, y: end.y - x * half },
  ] as const;
  return { tip: to, corners, end };
}

/** The sides of a picture that has at most so many pixels, and so many along a side. */
export function bounded({ width, height }: Box, most: number, mostAlong: number): Box {
  const by = Math.min(1, Math.sqrt(most / (width * height)), mostAlong / Math.max(width, height));
  return { width: Math.floor(width * by), height: Math.floor(height * by) };
}

/** What has been drawn, and what it was before each step, which can be taken back. */
export interface Drawn {
  readonly states: readonly (readonly Mark[])[];
  readonly at: number;
}

export const nothing: Drawn = { states: [[]], at: 0 };

export const marksOf = ({ states, at }: Drawn): readonly Mark[] => states[at] ?? [];

/** A step further: what was taken back before is gone. */
export const became = ({ states, at }: Drawn, marks: readonly Mark[]): Drawn => ({
  states: [...states.slice(0, at + 1), marks],
  at: at + 1,
});

export const undone = ({ states, at }: Drawn): Drawn => ({ states, at: Math.max(0, at - 1) });

export const redone = ({ states, at }: Drawn): Drawn => ({
  states,
  at: Math.min(states.length - 1, at + 1),
});
