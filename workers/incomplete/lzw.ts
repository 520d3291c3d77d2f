const maxCodeBits = 12;

/** The codes in a GIF frame's sub-blocks, each as wide as `width` says at that point. */
function* codesIn(blocks: Iterable<Buffer>, width: () => number): Generator<number> {
  let bits = 0;
  let held = 0;
  for (const block of blocks) {
    for (const byte of block) {
      held |= byte << bits;
      bits += 8;
      for (let used = width(); bits >= used; used = width()) {
        yield held & ((1 << used) - 1);
        held >>>= used;
        bits -= used;
      }
    }
  }
}

/**
 * Counts the pixels encoded in LZW data, up to `limit`, from the lengths of its codes alone; stops
 * at an invalid code.
 */
export function lzwPixels(blocks: Iterable<Buffer>, codeSize: number, limit: number): number {
  if (codeSize < 1 || codeSize >= maxCodeBits) return 0;
  const clear = 1 << codeSize;
  const lengths = new Uint32Array(1 << maxCodeBits).fill(1, 0, clear);
  let width = codeSize + 1;
  let next = clear + 2;
  let previous = 0;
  let pixels = 0;
  for (const code of codesIn(blocks, () => width)) {
    if (code === clear) {
      [width, next, previous] = [codeSize + 1, clear + 2, 0];
      continue;
    }
    // The code about to be defined repeats the previous one plus its first pixel.
    const length = code === next && previous > 0 ? previous + 1 : (lengths[code] ?? 0);
    if (code === clear + 1 || code > next || (code === next && previous === 0)) break;
    if (previous > 0 && next < lengths.length) {
      lengths[next++] = previous + 1;
      if (next === 1 << width && width < maxCodeBits) width++;
    }
    previous = length;
    pixels += length;
    if (pixels >= limit) return limit;
  }
  return pixels;
}
