import { columnsOf, printable } from '../base/text.js';

/** A list for people. */
export interface Table {
  readonly headers: readonly string[];
  /** As many cells as headers. The last one may be long. */
  readonly rows: readonly (readonly string[])[];
}

const gap = '  ';

/**
 * A line for each row, below the headers. A last cell that does not fit goes below its row, where it
 * is broken at spaces alone: longer words, such as URLs and keys, are left to the terminal, so that
 * they can be copied.
 * @param width of the terminal, in columns.
 */
export function tableText({ headers, rows }: Table, width: number): string {
  const lines = [headers, ...rows].map((line) => line.map(printable));
  const widths = headers.slice(0, -1).map((_, at) => widest(lines, at));
  const before = widths.reduce((sum, columns) => sum + columns + gap.length, 0);
  const text = lines.map((line) => {
    const begin = widths.map((columns, at) => padded(line[at] ?? '', columns) + gap).join('');
    const last = line.at(-1) ?? '';
    if (before + columnsOf(last) <= width) return (begin + last).trimEnd();
    const below = wrapped(last, width - gap.length).map((part) => gap + part);
    return [begin.trimEnd(), ...below].join('\n');
  });
  return text.join('\n');
}

const widest = (lines: readonly (readonly string[])[], at: number): number =>
  lines.reduce((most, line) => Math.max(most, columnsOf(line[at] ?? '')), 0);

const padded = (text: string, columns: number): string =>
  text + ' '.repeat(columns - columnsOf(text));

/** Breaks text at spaces. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
