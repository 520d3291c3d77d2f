import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import { heicGrid } from '../../testkit/heic-grid.js';
import { programs } from '../../testkit/programs.js';
import type { BenchUser } from './bench-service.js';

/** Writes a photograph-like JPEG of 12 megapixels and about 2.5 MB. */
async function makePicture(path: string): Promise<void> {
  const [width, height] = [4000, 3000];
  const grain = { type: 'gaussian', mean: 128, sigma: 38 } as const;
  const colours = Buffer.from([200, 90, 40, 40, 160, 90, 30, 60, 200, 220, 210, 120]);
  await sharp(colours, { raw: { width: 2, height: 2, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .composite([
      {
        input: { create: { width, height, channels: 3, background: '#000', noise: grain } },
        blend: 'soft-light',
      },
    ])
    .jpeg({ quality: 80 })
    .toFile(path);
}

/** The picture of all benches, made once. @returns its path. */
export async function picture(scratch: string): Promise<string> {
  const path = join(scratch, 'picture.jpg');
  if (!existsSync(path)) await makePicture(path);
  return path;
}

/**
 * The same image twice: as a phone's HEIC, in tiles of 512 pixels and about 1.1 MB, and as a JPEG
 * of 1.9 MB. It is smoother than the other picture, whose grain a phone would remove.
 */
export async function heicPicture(scratch: string): Promise<{ heic: string; jpeg: string }> {
  const [heic, jpeg] = [join(scratch, 'picture.heic'), join(scratch, 'smooth.jpg')];
  if (!existsSync(heic)) {
    await programs.ffmpeg.install((message) => process.stderr.write(`${message} …\n`));
    const source = await picture(scratch);
    await sharp(source).blur(0.7).jpeg({ quality: 85 }).toFile(jpeg);
    const grid = { width: 4000, height: 3000, tile: 512, crf: 14 };
    await writeFile(heic, await heicGrid(jpeg, grid));
  }
  return { heic, jpeg };
}

/** Uploads the picture. */
export async function upload(
  { url, headers }: Pick<BenchUser, 'url' | 'headers'>,
  scratch: string,
): Promise<ImageRecord> {
  const body = new FormData();
  body.set('image_data', new Blob([await readFile(await picture(scratch))]));
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${answer.status} for the upload`);
  return ((await answer.json()) as { result: ImageRecord }).result;
}
