/** Tag numbers of TIFF 6.0, and of ICC profiles in it. */
export const tiffTag = {
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  xmp: 700,
  iccProfile: 34675,
  dngVersion: 50706,
} as const;

/** Tag numbers of the EXIF standard (CIPA DC-008). */
export const exifTag = {
  orientation: 0x0112,
  exifDirectory: 0x8769,
  gpsDirectory: 0x8825,
  dateTimeOriginal: 0x9003,
  dateTimeDigitized: 0x9004,
  offsetTime: 0x9010,
  offsetTimeOriginal: 0x9011,
  offsetTimeDigitized: 0x9012,
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
} as const;

/** Types of the values of a directory entry. */
export const fieldType = { ascii: 2, short: 3, long: 4, undefined: 7, utf8: 129 } as const;
