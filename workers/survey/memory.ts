/** Estimates of the memory that decoders take, from measured peaks and with a margin. */

/** A pipeline with the renditions that it ends in. */
export const pipelineBytes = 16e6;

/** Rows of a picture that a pipeline holds while it reads and shrinks them. */
const rowsHeld = 2_300;

/** What a decoder that gives its rows one by one makes a pipeline hold. */
export const rowBytes = (width: number, height: number, pixelBytes: number): number =>
  width * Math.min(height, rowsHeld) * pixelBytes;
