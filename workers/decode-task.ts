import { access } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import type { Metadata } from '../src/imaging/exif.js';
import { type CameraData, displaySide } from '../src/imaging/port.js';
import type {
  DecodedImage,
  ImagingJob,
  ProcessSettings,
  TaskOutcome,
} from '../src/imaging/protocol.js';
import { decode, type Sizes } from './decode.js';
import { type DecodedPicture, type Decoder, decodePicture } from './decode-picture.js';
import type { Header } from './header.js';
import { readMetadata } from './metadata.js';
import type { Pixels } from './pixels.js';
import { outcomeOf, Refused } from './refused.js';
import { render, renderFitted, renderFull } from './render.js';
import type { Source } from './source.js';

/** Passed to this thread by the imaging process. */
const { maxPixels, heifDecoder } = workerData as ProcessSettings;

/**
 * The piscina task that decodes an image, which has been inspected, and makes its renditions or its
 * whole picture, or only reads what it says of itself; expected failures are returned as outcomes, not thrown.
 */
export default async function task(job: ImagingJob): Promise<TaskOutcome> {
  try {
    if (job.wanted === 'metadata') return { kind: 'read', metadata: await metadataOf(job) };
    if (job.wanted === 'full') {
      const { pixels } = await decodedTo(job.side, job);
      const full = await (job.side === undefined ? renderFull(pixels) : renderFitted(pixels));
      return { kind: 'encoded', full };
    }
    return { kind: 'done', image: await withRenditions(job) };
  } catch (error) {
    return outcomeOf(error);
  }
}

function decodedTo(side: Sizes['side'], job: ImagingJob): Promise<DecodedPicture> {
  const { path, format, pool, isRetry } = job;
  const sizes = { maxPixels, side };
  const decoder = pool === 'heic' ? heicDecoder(sizes, isRetry) : vipsDecoder(sizes);
  return decodePicture(path, { format, decode: decoder, maxPixels });
}

async function withRenditions(job: ImagingJob): Promise<DecodedImage> {
  const { format } = job;
  const { header, pixels, incomplete } = await decodedTo(displaySide, job);
  const derived = await render(header, pixels);
  const { width, height, metadata } = header;
  return { format, width, height, incomplete, ...cameraData(metadata), ...derived };
}

async function metadataOf({ path, format }: ImagingJob): Promise<CameraData> {
  await access(path); // a file that cannot be read says nothing, either
  return cameraData(readMetadata(path, format));
}

function cameraData({ orientation, ...camera }: Metadata): CameraData {
  void orientation;
  return camera;
}

const vipsDecoder =
  (sizes: Sizes): Decoder =>
  (source, header, failOn) =>
    decode(source, header, { ...sizes, failOn });

const heicDecoder =
  (sizes: Sizes, isRetry: boolean): Decoder =>
  async (source, header, failOn) => {
    // A truncated file is decoded twice and compared, which requires the same decoder for both; and
    // a file that has killed a process must not kill the next one the same way.
    if (heifDecoder === 'auto' && failOn === 'error' && !isRetry) {
      const { decodeHeicNatively } = await import('./heic/native.js');
      const pixels = await decodeHeicNatively(source, header, sizes);
      if (pixels) return pixels;
    }
    return decodeBundled(source, header, sizes);
  };

/** Imported on demand, since that module loads the WASM decoder and its memory. */
async function decodeBundled(source: Source, header: Header, sizes: Sizes): Promise<Pixels> {
  const { decodeHeic } = await import('./heic/bundled.js');
  return decodeHeic(source, header, sizes).catch((error: unknown) => {
    if (error instanceof Refused) throw error;
    // A trap leaves the WASM module's memory in an undefined state, so this thread takes no more
    // work.
    return process.exit(1);
  });
}
