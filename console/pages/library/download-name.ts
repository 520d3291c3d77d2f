import type { Image } from './listing';

/**
 * The name for a file of an image. The record's `filename` is that of the current version, and ends
 * with the version's hash and number: other files have the id of the image in place of the hash.
 * @param version 0 for the upload, 1 for the first edit.
 * @param url of the file, whose extension tells its format.
 */
export function downloadName({ id, filename }: Image, version: number, url: string): string {
  const extension = new URL(url, location.href).pathname.split('.').at(-1) ?? '';
  return filename.replace(/([^_]*)_(\d+)\.\w+$/, (_last, hash: string, current: string) => {
    const unique = Number(current) === version ? hash : id;
    return `${unique}_${version}.${extension}`;
  });
}

/** The same for what was uploaded: its own name, if it has one. */
export const uploadName = (image: Image): string =>
  image.original_name ?? downloadName(image, 0, image.org_path_url);
