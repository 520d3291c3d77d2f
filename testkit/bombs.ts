/**
 * Small files that are expensive to decode: uploads of them must not affect anyone else. Each
 * function returns the bytes of one file; with the default sizes, decoders were seen to take many
 * seconds or gigabytes.
 */
export { gifOfFrames, gifOfScreen } from './bombs/gif.js';
export { avifOfFrames, avifOfGrid, avifOfGrids, avifThatLies } from './bombs/avif.js';
export { jpegOfMarkers, jpegOfScans } from './bombs/jpeg.js';
export { pngInterlaced, pngOfChunks, pngOfSize, pngOfText } from './bombs/png.js';
export { tiffOfDirectories, tiffOfSamples, tiffOfTile } from './bombs/tiff.js';
export { webpOfChunks, webpOfFrames } from './bombs/webp.js';
