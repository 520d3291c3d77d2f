/** Ways to fill in the missing part of a file, so that its decoder has something to work on. */
export type Filling = (length: number) => Buffer;

export const zeros: Filling = (length) => Buffer.alloc(length);

/** Without a pattern, always the same bytes; none is 0xFF, which begins markers. */
export const shuffled: Filling = (length) => {
  const bytes = Buffer.alloc(length);
  let state = 12_345;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    bytes[i] = (state >> 16) & 0xfe;
  }
  return bytes;
};
