/**
 * Merges two sequences that are sorted by rank; items of the same rank are paired. Holds only one
 * item of each in memory.
 */
export async function* joined<L, R>(
  left: AsyncIterable<L>,
  rankOfLeft: (item: L) => string,
  right: AsyncIterable<R>,
  rankOfRight: (item: R) => string,
): AsyncGenerator<readonly [L, R | undefined] | readonly [undefined, R]> {
  const [ones, others] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  try {
    let one = await ones.next();
    let other = await others.next();
    while (!one.done || !other.done) {
      const order = one.done
        ? 1
        : other.done
          ? -1
          : compare(rankOfLeft(one.value), rankOfRight(other.value));
      if (!one.done && order <= 0) {
        yield [one.value, order === 0 && !other.done ? other.value : undefined];
        one = await ones.next();
      } else if (!other.done) {
        yield [undefined, other.value];
      }
      if (order >= 0) other = await others.next();
    }
  } finally {
    await Promise.all([ones.return?.(), others.return?.()]);
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export async function* none(): AsyncGenerator<never> {
  // Nothing.
}

/** Items in groups of at most `size`. */
export async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
