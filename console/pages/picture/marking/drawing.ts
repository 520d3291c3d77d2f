import { Backoff } from '../../../core/backoff';
import { Problem, problemOf } from '../../../core/problem';
import { unanswered } from '../../../core/reach';
import { arrowOf, bounded, lettersOf } from './marks';
import type { Ink, Mark } from './marks';
import type { Box } from '../stage/zoom';

/** The colors and the letters of marks, as a canvas understands them. */
export interface Look {
  readonly inks: Readonly<Record<Ink, string>>;
  readonly font: string;
}

/** Of a phone, a canvas holds no more pixels; elsewhere, more would take too much memory. */
const mostOnPhones = 16_777_216;
const mostPixels = 100_000_000;
const mostAlong = 16_384;

/** What is under the line of a mark, so that it is seen on any picture. */
const under: Readonly<Record<Ink, Ink>> = {
  red: 'white',
  yellow: 'black',
  green: 'black',
  blue: 'white',
  white: 'black',
  black: 'white',
};

/** Draws marks; the context counts in pixels of the picture. */
export function draw(on: CanvasRenderingContext2D, marks: readonly Mark[], look: Look): void {
  on.lineCap = 'round';
  on.lineJoin = 'round';
  on.textBaseline = 'middle';
  for (const mark of marks) {
    on.globalAlpha = 0.7;
    stroke(on, mark, look, look.inks[under[mark.ink]], mark.width * 1.5);
    on.globalAlpha = 1;
    stroke(on, mark, look, look.inks[mark.ink], mark.width);
  }
}

function stroke(
  on: CanvasRenderingContext2D,
  { tool, points, text = '', width }: Mark,
  { font }: Look,
  color: string,
  line: number,
): void {
  const [from, to = from] = [points[0], points.at(-1)];
  if (!from || !to) return;
  on.strokeStyle = color;
  on.fillStyle = color;
  on.lineWidth = line;
  if (tool === 'text') {
    on.font = `600 ${lettersOf(width)}px ${font}`;
    on.lineWidth = line === width ? width / 4 : width;
    on.strokeText(text, from.x, from.y);
    on.fillText(text, from.x, from.y);
    return;
  }
  on.beginPath();
  if (tool === 'pen') trace(on, points);
  else if (tool === 'rectangle') on.rect(from.x, from.y, to.x - from.x, to.y - from.y);
  else if (tool === 'ellipse') {
    const [across, down] = [(to.x - from.x) / 2, (to.y - from.y) / 2];
    const middle = [from.x + across, from.y + down] as const;
    on.ellipse(...middle, Math.abs(across), Math.abs(down), 0, 0, 2 * Math.PI);
  } else {
    const { tip, corners, end } = arrowOf(from, to, width);
    on.moveTo(from.x, from.y);
    on.lineTo(end.x, end.y);
    for (const { x, y } of [corners[0], tip, corners[1], end]) on.lineTo(x, y);
    on.fill();
  }
  on.stroke();
}

/** The way of a pen as a curve: through the middles between its points, which are where it bends. */
function trace(on: CanvasRenderingContext2D, points: Mark['points']): void {
  const [first, ...others] = points;
  if (!first) return;
  on.moveTo(first.x, first.y);
  let last = first;
  for (const point of others) {
    on.quadraticCurveTo(last.x, last.y, (last.x + point.x) / 2, (last.y + point.y) / 2);
    last = point;
  }
  on.lineTo(last.x, last.y);
}

/** A picture that has been read, upright. */
export interface Read {
  readonly image: HTMLImageElement;
  readonly type: string;
  /** Of the file in memory, to be revoked. */
  readonly url: string;
  readonly size: Box;
}

/** Attempts while the server is too busy to make the picture. */
const most = 5;

/** Reads a picture such that its pixels may be read, too. @throws Problem; the reason of the signal. */
export async function readPicture(url: string, signal: AbortSignal): Promise<Read> {
  const file = await readFile(url, signal);
  const local = URL.createObjectURL(file);
  const image = new Image();
  image.src = local;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(local);
    throw new Problem('not_drawable', file.type, 400);
  }
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  return { image, type: file.type, url: local, size };
}

async function readFile(url: string, signal: AbortSignal): Promise<Blob> {
  const backoff = new Backoff();
  for (let attempt = 1; ; attempt += 1) {
    // Of another server, the browser may have kept an answer that it got without asking for pixels.
    const answer = await fetch(url, { signal, cache: 'no-cache' }).catch(async (cause: unknown) => {
      signal.throwIfAborted();
      const isRefused = await isElsewhere(url, signal).catch(() => false);
      throw isRefused ? new Problem('not_readable', String(cause), 400) : unanswered();
    });
    if (answer.ok) return answer.blob();
    if (answer.status !== 503 || attempt === most) throw problemOf(answer.status, undefined);
    await backoff.pause(Number(answer.headers.get('Retry-After') ?? 0) * 1_000 || 0, signal);
    signal.throwIfAborted();
  }
}

/** Whether another server has the picture, to which this one may have sent. */
async function isElsewhere(url: string, signal: AbortSignal): Promise<boolean> {
  if (new URL(url, location.href).origin !== location.origin) return true;
  const { type } = await fetch(url, { signal, redirect: 'manual' });
  return type === 'opaqueredirect';
}

const isPhone = (): boolean =>
  matchMedia('(hover: none) and (pointer: coarse)').matches ||
  // Browsers of Apple's phones and tablets, which may have a mouse.
  CSS.supports('-webkit-touch-callout', 'none');

/** The size that a picture with marks is saved in. */
export const savedSize = (size: Box): Box =>
  bounded(size, isPhone() ? mostOnPhones : mostPixels, mostAlong);

/** The picture with its marks: PNG where it is one, or where it can be seen through. @throws Problem. */
export async function withMarks(
  { image, type, size }: Read,
  marks: readonly Mark[],
  look: Look,
): Promise<Blob> {
  const { width, height } = savedSize(size);
  const isPng = type === 'image/png' || (type !== 'image/jpeg' && isSeenThrough(image));
  const canvas = canvasOf(width, height);
  try {
    const on = canvas.getContext('2d');
    if (!on || !holds(on)) throw new Problem('too_large_to_draw', '', 400);
    on.drawImage(image, 0, 0, width, height);
    on.scale(width / size.width, height / size.height);
    draw(on, marks, look);
    const kind = isPng ? 'image/png' : 'image/jpeg';
    const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, kind, 0.92));
    if (!file) throw new Problem('too_large_to_draw', '', 400);
    return file;
  } finally {
    // Browsers keep the memory of a canvas for a while after it has gone.
    canvas.width = canvas.height = 0;
  }
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** Whether what is drawn on it is there: a canvas that is too large stays empty without an error. */
function holds(on: CanvasRenderingContext2D): boolean {
  on.fillRect(0, 0, 1, 1);
  const isThere = on.getImageData(0, 0, 1, 1).data[3] === 255;
  on.clearRect(0, 0, 1, 1);
  return isThere;
}

/** Whether any part of a picture lets through what is behind it, seen from afar. */
function isSeenThrough(image: HTMLImageElement): boolean {
  const side = 256;
  const on = canvasOf(side, side).getContext('2d');
  on?.drawImage(image, 0, 0, side, side);
  const pixels = on?.getImageData(0, 0, side, side).data ?? [];
  return pixels.some((value, n) => n % 4 === 3 && value < 255);
}
