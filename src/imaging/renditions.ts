import { rm, writeFile } from 'node:fs/promises';
import type { DerivedImage, ProcessedImage } from './port.js';
import type { DecodedImage, Rendition } from './protocol.js';

/**
 * Extensions come from a process that handles hostile files, so only known ones may become part of
 * a path.
 */
const extensions = new Set(['jpg', 'png', 'webp']);

async function write(base: string, { extension, data }: Rendition): Promise<DerivedImage> {
  if (!extensions.has(extension)) throw new Error('not the extension of a rendition');
  const path = `${base}.${extension}`;
  try {
    await writeFile(path, data);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, extension, bytes: data.length };
}

/** Writes the renditions of the image at `path` next to it. */
export async function writeRenditions(
  path: string,
  { display, thumb, ...processed }: DecodedImage,
): Promise<ProcessedImage> {
  return {
    ...processed,
    ...(display && { display: await write(`${path}.display`, display) }),
    thumb: await write(`${path}.thumb`, thumb),
  };
}
