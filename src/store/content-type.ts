/** Content types of everything that imgstore stores, by filename extension. */
const contentTypes = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['tif', 'image/tiff'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['json', 'application/json'],
]);

/** The content type of an object, derived from its key. */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return contentTypes.get(extension) ?? 'application/octet-stream';
}
