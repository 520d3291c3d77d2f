import type { Filling } from './filling.js';
import { zeros } from './filling.js';
import { bytesPerMegabyte } from '../../src/units.js';

const maxFilling = 64 * bytesPerMegabyte;
const endOfImage = Buffer.from([0xff, 0xd9]);

interface Scan {
  /** Where its data begins. */
  readonly at: number;
  /** Number of segments that restart markers divide its data into. */
  readonly segments: number;
}

const sequential = new Set([0xc0, 0xc1]);
const defineRestartInterval = 0xdd;
const startOfScan = 0xda;

/** Number of blocks coded together (MCUs), over the whole image. */
function unitsOf(frame: Buffer): number {
  const [height, width, components] = [frame.readUInt16BE(1), frame.readUInt16BE(3), frame[5] ?? 0];
  const factors = Array.from({ length: components }, (_, i) => frame[7 + 3 * i] ?? 0x11);
  const side = (shift: number): number =>
    components === 1 ? 8 : 8 * Math.max(...factors.map((factor) => (factor >> shift) & 15));
  return Math.ceil(width / side(4)) * Math.ceil(height / side(0));
}

/** The single scan of a non-progressive JPEG with restart markers. */
function scanOf(file: Buffer): Scan | undefined {
  let units = 0;
  let interval = 0;
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff;) {
    const marker = file[at + 1] ?? 0;
    const end = at + 2 + file.readUInt16BE(at + 2);
    const content = file.subarray(at + 4, end);
    if (sequential.has(marker) && content.length >= 6) units = unitsOf(content);
    if (marker === defineRestartInterval && content.length >= 2) interval = content.readUInt16BE(0);
    if (marker === startOfScan) {
      return units > 0 && interval > 0
        ? { at: end, segments: Math.ceil(units / interval) }
        : undefined;
    }
    at = end;
  }
  return undefined;
}

/** The complete segments: those followed by the right marker. */
function segmentsOf(file: Buffer, from: number): Buffer[] {
  const segments: Buffer[] = [];
  for (let at = from; ;) {
    at = file.indexOf(0xff, at);
    const next = file[at + 1];
    if (at < 0 || next === undefined) return segments;
    if (next === 0xd0 + (segments.length % 8)) {
      segments.push(file.subarray(from, at));
      from = at + 2;
    } else if (next !== 0) return segments;
    at += 2;
  }
}

/**
 * Repairs a JPEG with restart markers by putting an available segment in place of each missing one.
 * libvips tolerates at most a hundred missing segments.
 *
 * @returns undefined if the file has no restart markers, or no two distinct segments.
 */
export function restarts(file: Buffer): ((filling: Filling) => Buffer) | undefined {
  const scan = scanOf(file);
  if (!scan) return undefined;
  const available = segmentsOf(file, scan.at).slice(0, scan.segments);
  const last = available.at(-1);
  const other = last && available.find((segment) => !segment.equals(last));
  const missing = scan.segments - available.length;
  if (!other || missing * Math.max(last.length, other.length) > maxFilling) return undefined;
  return (filling) => {
    const segment = filling === zeros ? last : other;
    const segments = [...available, ...Array.from({ length: missing }, () => segment)].flatMap(
      (data, i) => [data, Buffer.from([0xff, 0xd0 + (i % 8)])],
    );
    return Buffer.concat([file.subarray(0, scan.at), ...segments.slice(0, -1), endOfImage]);
  };
}
