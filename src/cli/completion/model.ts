import type { Argument, Command, Option } from 'commander';
import { flaggedKeys, flagOf, options } from '../../base/config/options.js';
import { choicesOf, metavarOf } from '../../base/config/setting.js';
import type { Program, RunnableCommand } from '../command.js';
import { complete } from '../program.js';

/** Possible values of an argument or option; no words: anything is valid, and nothing is offered. */
type Values = '@files' | '@directories' | readonly string[];

export interface Word {
  readonly word: string;
  readonly about: string;
}

/** An option; without `values`, it takes no value. */
interface Flag extends Word {
  readonly values?: Values;
  /** Whether it takes several values, separated by commas. */
  readonly listed: boolean;
}

/** What can be typed after a command; the program itself has no path. */
export interface Place {
  /** The words so far, separated by spaces. */
  readonly path: string;
  readonly commands: readonly Word[];
  /** What each takes, as `valueText` writes it. */
  readonly arguments: readonly string[];
  /** Without the flags of every command. */
  readonly flags: readonly Flag[];
}

export interface Completion {
  readonly places: readonly Place[];
  /** Flags that every command takes. */
  readonly everywhere: readonly Flag[];
  /** Flags of all settings, which every command also takes; too many to be offered by default. */
  readonly settings: readonly Flag[];
}

const everywhere = ['--home', '--config', '--json', '--help'];

function valuesOf(metavar: string, offered: readonly string[] = []): Values {
  if (offered.length > 0) return offered;
  if (metavar === 'dir') return '@directories';
  return metavar === 'file' ? '@files' : [];
}

function flagFrom(option: Option, offered?: readonly string[]): Flag {
  const metavar = /<(.*)>/.exec(option.flags)?.[1];
  const base = { word: option.long ?? '', about: option.description };
  if (metavar === undefined) return { ...base, listed: false };
  return { ...base, values: valuesOf(metavar, offered), listed: metavar.includes(',') };
}

const settingFlags = (): Flag[] =>
  flaggedKeys.map((key) => ({
    word: flagOf(key),
    about: options[key].about,
    values: valuesOf(metavarOf(options[key]), choicesOf(options[key])),
    listed: metavarOf(options[key]).includes(','),
  }));

/** Words that a command offers, by the name of an argument or the flag of an option. */
async function offersOf(
  leaf: RunnableCommand | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const offers = Object.entries(leaf?.offers ?? {});
  return new Map(await Promise.all(offers.map(async ([of, load]) => [of, await load()] as const)));
}

const wordOf = (command: Command): Word => ({
  word: command.name(),
  about: command.description(),
});

async function describePlace(
  command: Command,
  path: string,
  leaf: RunnableCommand | undefined,
): Promise<Place> {
  const offers = await offersOf(leaf);
  const help = command.createHelp();
  const shown = help.visibleOptions(command).filter(({ long }) => !everywhere.includes(long ?? ''));
  const argument = (one: Argument): string =>
    valueText(valuesOf(one.name(), offers.get(one.name()) ?? one.argChoices), false);
  return {
    path,
    commands: help.visibleCommands(command).map(wordOf),
    arguments: command.registeredArguments.map(argument),
    flags: shown.map((option) => flagFrom(option, offers.get(option.long ?? ''))),
  };
}

/** Offers the values of each setting that has few. */
const chosenSettings = (set: Place): Place[] =>
  flaggedKeys
    .filter((key) => choicesOf(options[key]).length > 0)
    .map((key) => ({
      path: `${set.path} ${key}`,
      commands: [],
      arguments: [valueText(choicesOf(options[key]), false)],
      flags: set.flags,
    }));

/** `help` takes the words of a command. */
function helpPlaces(places: readonly Place[]): Place[] {
  const topics = { word: 'settings', about: 'All settings' };
  return places
    .filter(({ commands }) => commands.length > 0)
    .map(({ path, commands }) => ({
      path: `help ${path}`.trim(),
      commands: [...commands.filter(({ word }) => word !== 'help'), ...(path ? [] : [topics])],
      arguments: [],
      flags: [],
    }));
}

/** Everything that a shell completes. */
export async function completionOf({ program, leaves }: Program): Promise<Completion> {
  const places: Place[] = [];
  const visit = async (command: Command, path: string): Promise<void> => {
    const leaf = leaves.get(command);
    if (leaf?.hidden) return;
    if (leaf) await complete(command, leaf, true);
    places.push(await describePlace(command, path, leaf));
    for (const child of command.commands) await visit(child, `${path} ${child.name()}`.trim());
  };
  await visit(program, '');
  const common = program.createHelp().visibleOptions(program);
  return {
    places: [
      ...places,
      ...helpPlaces(places),
      ...places.filter(({ path }) => path === 'config set').flatMap(chosenSettings),
    ],
    everywhere: common
      .filter(({ long }) => everywhere.includes(long ?? ''))
      .map((option) => flagFrom(option)),
    settings: settingFlags(),
  };
}

/** Values as the scripts represent them: words, or a marker for files or directories. */
function valueText(values: Values, listed: boolean): string {
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
