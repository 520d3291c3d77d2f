/** The item that a key moves to from another one; undefined if the key does not move. */
export function moveOf(
  key: string,
  from: number,
  { columns, perPage, total }: { columns: number; perPage: number; total: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    PageDown: from + perPage,
    PageUp: from - perPage,
    Home: 0,
    End: total - 1,
  };
  const to = steps[key];
  return to === undefined || total === 0 ? undefined : Math.min(total - 1, Math.max(0, to));
}
