import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Path of a photograph in test/fixtures/photos. */
export const photo = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/photos/${name}`, import.meta.url));

export const readPhoto = (name: string): Promise<Buffer> => readFile(photo(name));
