// Merkle trees as in RFC 6962, section 2.1: what others need to check ours, browsers included.

export const hashBytes = 32;

/** The largest power of two below `n`, which is 2 or more. */
export function splitOf(n: number): number {
  let half = 1;
  while (2 * half < n) half *= 2;
  return half;
}

/** Hashes a node of a tree. */
type NodeHash = (left: Uint8Array, right: Uint8Array) => Uint8Array;

/**
 * The root of the tree of `size` leaves in which `hash` is the leaf `index`, as its inclusion path says.
 * @returns undefined for a path that no such tree has.
 */
export function rootOfPath(
  { index, size }: { readonly index: number; readonly size: number },
  hash: Uint8Array,
  path: readonly Uint8Array[],
  nodeHash: NodeHash,
): Uint8Array | undefined {
  if (index >= size) return undefined;
  if (size === 1) return path.length === 0 ? hash : undefined;
  const [last, rest] = [path.at(-1), path.slice(0, -1)];
  if (!last) return undefined;
  const half = splitOf(size);
  if (index < half) {
    const left = rootOfPath({ index, size: half }, hash, rest, nodeHash);
    return left && nodeHash(left, last);
  }
  const right = rootOfPath({ index: index - half, size: size - half }, hash, rest, nodeHash);
  return right && nodeHash(last, right);
}
