/** Estimates of the memory that decoders take, from measured peaks plus a margin. */

/** A pipeline including the renditions at its end. */
export const pipelineBytes = 16e6;

/** Rows of an image that a pipeline holds while it reads and shrinks them. */
const rowsHeld = 2_300;

/** Memory that a pipeline holds for a decoder that returns rows one by one. */
export const rowBytes = (width: number, height: number, pixelBytes: number): number =>
  width * Math.min(height, rowsHeld) * pixelBytes;
