import type { ImageFormat } from '../../src/imaging/port.js';
import type { Survey } from '../../src/imaging/protocol.js';
import { Refused } from '../refused.js';
import { magicOf, readHead } from '../sniff.js';

export interface SurveyLimits {
  readonly maxPixels: number;
}

const ORDINARY_BYTES = 64 * 2 ** 20;

/** Tells the format by the first bytes alone. @throws Refused `unsupported_image`. */
export async function survey(path: string, { maxPixels }: SurveyLimits): Promise<Survey> {
  const head = await readHead(path);
  const magic = magicOf(head);
  if (magic === undefined) throw new Refused('unsupported_image', 'unknown signature');
  const heic = magic === 'isobmff' && /hei|hev/.test(head.toString('latin1'));
  const format: ImageFormat = magic !== 'isobmff' ? magic : heic ? 'heif' : 'avif';
  const side = Math.min(1024, Math.floor(Math.sqrt(maxPixels)));
  const lane = heic ? 'heic' : 'common';
  return { format, width: side, height: side, lane, memoryBytes: ORDINARY_BYTES };
}
