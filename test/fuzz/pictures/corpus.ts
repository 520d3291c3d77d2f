import sharp, { type Sharp } from 'sharp';
import { readPhoto } from '../../../testkit/photos.js';

export interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
}

const width = 96;
const height = 64;

/** A deterministic picture with edges and colors. @param pages one below the other. */
function drawn(pages = 1): Sharp {
  const pixels = Buffer.alloc(width * height * pages * 3);
  for (let i = 0; i < pixels.length; i += 1) {
    pixels[i] = ((i * 7919) ^ (i >> 5) ^ Math.floor(i / (width * 9))) & 255;
  }
  const raw = { width, height: height * pages, channels: 3 as const };
  return sharp(pixels, { raw: pages > 1 ? { ...raw, pageHeight: height } : raw });
}

const exif = {
  IFD0: { Make: 'imgstore', Orientation: '6' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '37/1 30/1 0/1' },
};

/** Small pictures in every format with its encodings. */
const made: Readonly<Record<string, () => Sharp>> = {
  'baseline.jpg': () => drawn().jpeg().withExif(exif),
  'progressive.jpg': () => drawn().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  'grey.jpg': () => drawn().grayscale().jpeg(),
  'colour.png': () => drawn().png().withExif(exif),
  'palette.png': () => drawn().png({ palette: true }),
  'interlaced.png': () => drawn().png({ progressive: true }),
  'deep.png': () => drawn().toColourspace('rgb16').png(),
  'lossy.webp': () => drawn().webp().withExif(exif),
  'lossless.webp': () => drawn().webp({ lossless: true }),
  'moving.webp': () => drawn(3).webp({ delay: [100, 100, 100] }),
  'still.gif': () => drawn().gif(),
  'moving.gif': () => drawn(3).gif({ delay: [100, 100, 100] }),
  'lzw.tiff': () => drawn().tiff({ compression: 'lzw' }).withExif(exif),
  'tiled.tiff': () => drawn().tiff({ tile: true, tileWidth: 32, tileHeight: 32 }),
  'jpeg.tiff': () => drawn().tiff({ compression: 'jpeg' }),
  'deflate.tiff': () => drawn().tiff({ compression: 'deflate', predictor: 'horizontal' }),
  'still.avif': () => drawn().avif({ effort: 1 }).withExif(exif),
  'lossless.avif': () => drawn().avif({ effort: 1, lossless: true }),
};

/** Photographs from cameras and programs. */
const photos = ['Canon_40D.jpg', 'DSCN0010.jpg', 'landscape_6.jpg', 'samplefilehub.heif'];

export async function corpus(): Promise<Sample[]> {
  const drawings = Object.entries(made).map(async ([name, make]) => ({
    name,
    bytes: await make().toBuffer(),
  }));
  const taken = photos.map(async (name) => ({ name, bytes: await readPhoto(name) }));
  return Promise.all([...drawings, ...taken]);
}
