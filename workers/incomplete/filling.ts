/** Fills in the missing part of a file, so that a decoder accepts it. */
export type Filling = (length: number) => Buffer;

export const zeros: Filling = (length) => Buffer.alloc(length);

/** Pseudorandom but deterministic bytes, without 0xFF, which begins markers. */
export const shuffled: Filling = (length) => {
  const bytes = Buffer.alloc(length);
  let state = 12_345;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    bytes[i] = (state >> 16) & 0xfe;
  }
  return bytes;
};
