import { randomUUID } from 'node:crypto';
import { sha256 } from '../../testkit/fetch.js';
import { readPhoto } from '../../testkit/photos.js';
import type { Random } from '../../testkit/random.js';

/** A unique image, with the details that identify it. */
export interface Picture {
  readonly bytes: Buffer;
  readonly hash: string;
}

const names = [
  'Canon_40D.jpg',
  'image01551.jpg',
  'image02206.jpg',
  'landscape_6.jpg',
  'Arbitro.tiff',
  'samplefilehub.heif',
] as const;

/** Real photos with a unique mark: no two uploads have the same bytes. */
export class Pictures {
  private constructor(private readonly files: readonly [Buffer, ...Buffer[]]) {}

  static async read(): Promise<Pictures> {
    const [first, ...others] = await Promise.all(names.map(readPhoto));
    if (!first) throw new Error('No pictures found.');
    return new Pictures([first, ...others]);
  }

  next(random: Random): Picture {
    const bytes = marked(random.of(this.files), Buffer.from(randomUUID()));
    return { bytes, hash: sha256(bytes) };
  }
}

/** Inserts a mark where the format lets readers skip it. */
function marked(file: Buffer, mark: Buffer): Buffer {
  const [first] = file;
  if (first === 0xff) {
    // JPEG: a comment right after the start (T.81, B.2.4.5).
    const head = Buffer.from([0xff, 0xfe, 0, mark.length + 2]);
    return Buffer.concat([file.subarray(0, 2), head, mark, file.subarray(2)]);
  }
  if (first === 0) {
    // HEIF: a box of free space at the end (ISO/IEC 14496-12, 8.1.2).
    const head = Buffer.from([0, 0, 0, mark.length + 8, ...Buffer.from('free')]);
    return Buffer.concat([file, head, mark]);
  }
  return Buffer.concat([file, mark]); // TIFF locates everything by offset
}
