import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import type { DerivedImage, ProcessedImage } from './port.js';
import type { DecodedImage, DecodeOutcome, Rendition } from './protocol.js';
import type { MadeImage, PendingImage } from './stage-queues.js';

/**
 * Extensions come from a process that handles hostile files, so only known ones may become part of
 * a path.
 */
const extensions = new Set(['jpg', 'png', 'webp']);

function assertKnown(extension: string): void {
  if (!extensions.has(extension)) throw new Error('not the extension of a rendition');
}

async function write(base: string, { extension, data }: Rendition): Promise<DerivedImage> {
  assertKnown(extension);
  const path = `${base}.${extension}`;
  try {
    await writeFile(path, data);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, extension, bytes: data.length };
}

type Made = Extract<DecodeOutcome, { readonly kind: 'done' | 'sent' }>;

/** Writes the renditions of the image at `path` next to it. */
async function writeRenditions(
  path: string,
  { display, thumb, ...processed }: DecodedImage,
): Promise<ProcessedImage> {
  return {
    ...processed,
    ...(display && { display: await write(`${path}.display`, display) }),
    thumb: await write(`${path}.thumb`, thumb),
  };
}

export const fullPath = (path: string): string => `${path}.full`;

/** What was made of an image. @throws Error if it is not what was wanted. */
export async function madeOf({ path, wanted }: PendingImage, outcome: Made): Promise<MadeImage> {
  if (wanted !== (outcome.kind === 'sent' ? 'full' : 'renditions'))
    throw new Error(`not the ${wanted} that were wanted`);
  if (outcome.kind === 'done') return writeRenditions(path, outcome.image);
  const { extension } = outcome;
  assertKnown(extension);
  const { size: bytes } = await stat(fullPath(path));
  return { path: fullPath(path), extension, bytes };
}

/**
 * The file of a whole picture, whose bytes arrive in pieces from a process that handles hostile
 * files: it takes no more than a picture of that size needs.
 */
export class ReceivedPicture {
  #bytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly maxBytes: number,
  ) {}

  /** Replaces the file of an earlier attempt. */
  static async open(path: string, maxBytes: number): Promise<ReceivedPicture> {
    return new ReceivedPicture(await open(path, 'w', 0o600), maxBytes);
  }

  /** @throws Error if it is more than the picture can take, or cannot be written. */
  async add(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    if (this.#bytes > this.maxBytes) throw new Error('more bytes than a picture of its size has');
    await this.file.writeFile(piece);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
