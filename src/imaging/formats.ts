/** `image_resource_type` in the API. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heif';

/** `image_type` in the API: the filename extension of each format. */
export const extensionOf: Record<ImageFormat, string> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tif',
  avif: 'avif',
  heif: 'heic',
};
