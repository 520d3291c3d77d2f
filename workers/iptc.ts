import { type Taken, timeFrom } from '../src/imaging/readings.js';

/** Precedes the resources of Photoshop in a JPEG. */
export const photoshopMark = 'Photoshop 3.0\0';

const resourceMark = '8BIM';
const iptcResource = 0x0404;
const maxParts = 1_000;

/** The IPTC among resources of Photoshop; the block itself if it is not made of these. */
function iptcIn(block: Buffer): Buffer {
  let at = 0;
  for (let i = 0; i < maxParts; i += 1) {
    if (block.toString('latin1', at, at + 4) !== resourceMark || at + 12 > block.length) break;
    const id = block.readUInt16BE(at + 4);
    const name = (block[at + 6] ?? 0) + 1;
    const sizeAt = at + 6 + name + (name % 2);
    if (sizeAt + 4 > block.length) break;
    const size = block.readUInt32BE(sizeAt);
    if (id === iptcResource) return block.subarray(sizeAt + 4, sizeAt + 4 + size);
    at = sizeAt + 4 + size + (size % 2);
  }
  return block;
}

/** Texts of the application record by their numbers (IPTC-NAA IIM 4.2); the first of each counts. */
function texts(iptc: Buffer): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let at = 0;
  for (let i = 0; i < maxParts && at + 5 <= iptc.length && iptc[at] === 0x1c; i += 1) {
    const [record, dataset, length] = [iptc[at + 1], iptc[at + 2] ?? 0, iptc.readUInt16BE(at + 3)];
    if (length > 0x7fff) break; // its length follows; no date is that long
    const text = iptc.toString('latin1', at + 5, at + 5 + length);
    if (record === 2 && !found.has(dataset)) found.set(dataset, text);
    at += 5 + length;
  }
  return found;
}

/** Date and time: when it was made, else when it was digitized. */
const times = [
  [55, 60],
  [62, 63],
] as const;

/**
 * When an image was taken, from IPTC, or from resources of Photoshop that contain it. A date alone is no
 * time.
 */
export function readIptc(block: Buffer): Taken | undefined {
  const found = texts(iptcIn(block));
  for (const [date, time] of times) {
    const day = /^(\d{4})(\d\d)(\d\d)$/.exec(found.get(date) ?? '');
    const clock = /^(\d\d)(\d\d)(\d\d)([+-]\d{4})?$/.exec(found.get(time) ?? '');
    if (!day || !clock) continue;
    const [, hour, minute, second, offset = ''] = clock;
    const taken = timeFrom(`${day.slice(1).join('-')} ${hour}:${minute}:${second}${offset}`);
    if (taken) return taken;
  }
  return undefined;
}
