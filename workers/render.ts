import type { Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { displaySide, type ImageFormat, shownByBrowsers } from '../src/imaging/port.js';
import type { DecodedImage, Rendition } from '../src/imaging/protocol.js';
import type { Header } from './header.js';
import { sharp } from './libvips.js';
import { isTransparent, type Pixels } from './pixels.js';

const thumbSide = 256;
/**
 * ThumbHash keeps at most seven waves per axis: more pixels would take time without visible effect.
 */
const hashSide = 48;

type DisplayFormat = 'jpg' | 'png' | 'webp';

// Low-effort settings: twice the time would save a few percent of a small file.
const encoders: Record<DisplayFormat, (pipeline: Sharp) => Sharp> = {
  jpg: (pipeline) => pipeline.jpeg({ quality: 80, optimiseCoding: false }),
  png: (pipeline) => pipeline.png({ compressionLevel: 4 }),
  webp: (pipeline) => pipeline.webp({ quality: 80, effort: 1 }),
};

/** Whether the uploaded bytes can be displayed as they are. */
function servesAsIs({ format, width, height }: Header): boolean {
  if (!shownByBrowsers.has(format)) return false;
  if (width === displaySide || height === displaySide) return true;
  return width < displaySide && height < displaySide;
}

function displayFormat(format: ImageFormat, pixels: Pixels): DisplayFormat {
  switch (format) {
    case 'jpeg':
      return 'jpg';
    case 'png':
      return 'png';
    case 'webp':
    case 'avif':
      return 'webp';
    default:
      return isTransparent(pixels) ? 'png' : 'jpg';
  }
}

const open = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

async function shrink(pixels: Pixels, side: number): Promise<Pixels> {
  const { data, info } = await open(pixels)
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...pixels, data, width: info.width, height: info.height };
}

const encode = async (extension: string, pipeline: Sharp): Promise<Rendition> => ({
  extension,
  data: await pipeline.toBuffer(),
});

async function hash(pixels: Pixels): Promise<Uint8Array> {
  const small = await shrink(pixels, hashSide);
  const rgba = small.channels === 4 ? small.data : await open(small).ensureAlpha().raw().toBuffer();
  return rgbaToThumbHash(small.width, small.height, rgba);
}

/** Of whole pictures. */
const detailed = { quality: 88, optimiseCoding: false };
/** The longest side that libjpeg writes. */
const maxJpegSide = 65_500;

/** Encodes a whole picture: better than renditions, since people zoom into it. */
export function renderFull(pixels: Pixels): Promise<Rendition> {
  const asPng = isTransparent(pixels) || Math.max(pixels.width, pixels.height) > maxJpegSide;
  if (asPng) return encode('png', encoders.png(open(pixels)));
  return encode('jpg', open(pixels).jpeg(detailed));
}

/** Encodes a whole picture that was fitted into a square, for paper, which is white. */
export const renderFitted = (pixels: Pixels): Promise<Rendition> =>
  encode('jpg', open(pixels).flatten({ background: 'white' }).jpeg(detailed));

/** Produces everything derived from the pixels: display rendition, thumbnail, and ThumbHash. */
export async function render(
  header: Header,
  pixels: Pixels,
): Promise<Pick<DecodedImage, 'display' | 'thumb' | 'thumbhash'>> {
  const small = await shrink(pixels, thumbSide);
  const thumbhash = await hash(small);
  const thumb = await encode('webp', open(small).webp({ effort: 1 }));
  if (servesAsIs(header)) return { thumb, thumbhash };
  const extension = displayFormat(header.format, pixels);
  return { display: await encode(extension, encoders[extension](open(pixels))), thumb, thumbhash };
}
