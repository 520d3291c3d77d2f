import type { Random } from '../../../testkit/random.js';

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** The beginning of a file, where formats have their type, size and number of parts. */
const headBytes = 1024;

const place = (bytes: Buffer, random: Random): number =>
  random.below(Math.max(1, random.below(3) > 0 ? Math.min(headBytes, bytes.length) : bytes.length));

/** A random range of up to `most` bytes. */
function byteRange(bytes: Buffer, random: Random, most = 256): [from: number, to: number] {
  const from = place(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.below(most))];
}

const numbers = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
].concat([0xfffffffe, 0xffffffff, 16384, 65500, 100_000_000]);

interface Writing {
  /** Bytes. */
  readonly size: number;
  readonly little: boolean;
}

function written(bytes: Buffer, at: number, value: number, { size, little }: Writing): Buffer {
  const changed = Buffer.from(bytes);
  if (at + size > changed.length) return changed;
  const fitting = value % 2 ** (8 * size);
  if (little) changed.writeUIntLE(fitting, at, size);
  else changed.writeUIntBE(fitting, at, size);
  return changed;
}

/** Mutations, by what they do to the bytes. */
const mutations: Readonly<Record<string, Mutation>> = {
  'a bit': (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = place(bytes, random);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  'a byte': (bytes, random) =>
    written(bytes, place(bytes, random), random.below(256), { size: 1, little: true }),
  'a number': (bytes, random) =>
    written(bytes, place(bytes, random), random.of(numbers) ?? 0, {
      size: random.of([1, 2, 4]),
      little: random.below(2) === 0,
    }),
  nought: (bytes, random) => {
    const changed = Buffer.from(bytes);
    return changed.fill(0, ...byteRange(bytes, random));
  },
  noise: (bytes, random) => {
    const [from, to] = byteRange(bytes, random, 64);
    const changed = Buffer.from(bytes);
    for (let at = from; at < to; at += 1) changed[at] = random.below(256);
    return changed;
  },
  'less of it': (bytes, random) => {
    const [from, to] = byteRange(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'twice the same': (bytes, random) => {
    const [from, to] = byteRange(bytes, random, 2_000);
    const times = 1 + random.below(20);
    const again = Array.from({ length: times }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...again, bytes.subarray(to)]);
  },
  'bytes between': (bytes, random) => {
    const at = place(bytes, random);
    const between = Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256)));
    return Buffer.concat([bytes.subarray(0, at), between, bytes.subarray(at)]);
  },
  'a cut': (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length)),
  'the end of another': (bytes, random, other) =>
    Buffer.concat([
      bytes.subarray(0, place(bytes, random)),
      other.subarray(random.below(other.length)),
    ]),
};

/** The file with one to four changes. */
export function mutated(original: Buffer, other: Buffer, random: Random): Buffer {
  let bytes = original;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const change = random.of(Object.values(mutations));
    bytes = change?.(bytes, random, other) ?? bytes;
  }
  return bytes;
}
