import type { Completion, Flag, Values } from './model.js';

/** Values as the scripts represent them: words, or a marker for files or directories. */
export function valueText(values: Values, listed: boolean): string {
  if (typeof values === 'string') return values;
  return listed && values.length > 0 ? `@list ${values.join(' ')}` : values.join(' ');
}

/** Options that take the same values: as `COMMAND --flag`, or as `--flag` if every command has it. */
export interface ValueRow {
  readonly options: readonly string[];
  readonly text: string;
}

function rowsOf(options: ReadonlyMap<string, string>): ValueRow[] {
  const byText = new Map<string, string[]>();
  for (const [option, text] of options) {
    const same = byText.get(text) ?? [];
    byText.set(text, [...same, option]);
  }
  return [...byText].map(([text, same]) => ({ text, options: same }));
}

const textsOf = (flags: readonly Flag[], before = ''): [string, string][] =>
  flags.flatMap(({ word, values, listed }) =>
    values === undefined ? [] : [[`${before}${word}`, valueText(values, listed)]],
  );

/** The values of all options that take any: of single commands, and of every command. */
export function valueRows({ places, everywhere, settings }: Completion): {
  readonly own: ValueRow[];
  readonly common: ValueRow[];
} {
  const common = new Map(textsOf([...everywhere, ...settings]));
  const own = places.flatMap(({ path, flags }) =>
    textsOf(flags, `${path} `).filter(
      ([option, text]) => common.get(option.slice(path.length + 1)) !== text,
    ),
  );
  return { own: rowsOf(new Map(own)), common: rowsOf(common) };
}

/** A word, quoted for bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
