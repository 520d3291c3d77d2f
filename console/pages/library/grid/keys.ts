import type { Layout } from './layout';

/** The item that a key moves to from another one; undefined if the key does not move. */
export function moveOf(
  key: string,
  from: number,
  { layout, perPage, total }: { layout: Layout; perPage: number; total: number },
): number | undefined {
  const to = destination(key, from, layout, perPage, total);
  return to === undefined || total === 0 ? undefined : Math.min(total - 1, Math.max(0, to));
}

function destination(
  key: string,
  from: number,
  layout: Layout,
  perPage: number,
  total: number,
): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return from + 1;
    case 'ArrowLeft':
      return from - 1;
    case 'ArrowDown':
      return layout.beside(from, 1);
    case 'ArrowUp':
      return layout.beside(from, -1);
    case 'PageDown':
      return from + perPage;
    case 'PageUp':
      return from - perPage;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}
