// npm run docs: writes docs/commands.md, docs/configuration.md, and man/imgstore.1 from the commands, their
// options, and the settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Argument, Command } from 'commander';
import {
  flaggedKeys,
  flagOf,
  optionKeys,
  options,
  variableOf,
  type OptionKey,
} from '../src/base/config/options.js';
import { defaultTextOf, metavarOf, type Setting } from '../src/base/config/setting.js';
import { packageFile } from '../src/base/installed-files.js';
import type { RunnableCommand } from '../src/cli/command.js';
import { chapters } from '../src/cli/commands.js';
import { complete, loadProgram } from '../src/cli/program.js';
import { helpPages } from '../testkit/help-pages.js';

const columns = 80;

async function commandReference(): Promise<string> {
  const pages = (await helpPages(columns)).map(
    ({ words, text }) =>
      `## imgstore ${words.join(' ').replace(/ ?--help$/, '')}`.trimEnd() +
      `\n\n\`\`\`\n$ ${['imgstore', ...words].join(' ')}\n${text}\`\`\`\n`,
  );
  return `# Commands

The output of every command with \`--help\`, on a terminal of ${columns} columns. In a clone, the command is \`bin/imgstore\`.

${pages.join('\n')}`;
}

const settingOf = (key: OptionKey): Setting => options[key];

/** Where a secret may be, besides its setting. */
const secretFile = (key: OptionKey): string[] =>
  settingOf(key).secret ? [`${variableOf(key)}_FILE`] : [];

const cell = (text: string): string => text.replaceAll('|', '\\|');

function fallbackOf(setting: Setting): string {
  const text = defaultTextOf(setting);
  const literal = setting.fallback !== undefined && typeof setting.fallback !== 'function';
  return literal && text !== 'none' && !Array.isArray(setting.fallback) ? `\`${text}\`` : text;
}

function row(key: OptionKey): string {
  const setting = settingOf(key);
  const flag = flaggedKeys.includes(key) ? [flagOf(key)] : [];
  const spellings = [key, ...flag, variableOf(key), ...secretFile(key)];
  const names = spellings.map((name) => `\`${name}\``).join('<br>');
  const cells = [names, setting.about, metavarOf(setting), fallbackOf(setting)];
  return `| ${cells.map(cell).join(' | ')} |`;
}

const configurationReference = (): string => `# Configuration

Each setting has one name in three spellings: a key in \`config.yaml\` in the home directory, a flag of every command, and an environment variable. Flags override variables, variables override the file, and the file overrides the defaults. Keys with a dot may be nested in the file:

\`\`\`yaml
limits:
  max_upload_mb: 100
\`\`\`

\`imgstore config show\` prints the effective values and the source of each; \`imgstore config check\` lists all mistakes at once; \`imgstore config set\` writes one setting to the file ([operating.md](operating.md)). A secret can also be kept in a file whose path is in the variable ending in \`_FILE\`. Set the home directory itself with \`--home\` or \`IMGSTORE_HOME\`, and the path of the file with \`--config\` or \`IMGSTORE_CONFIG\` (the variable is ignored when the home is set with \`--home\`). Durations are written as \`90s\`, \`30m\`, \`12h\`, or \`90d\`; a megabyte is 1,048,576 bytes.

| Setting | Meaning | Values | Default |
|---|---|---|---|
${optionKeys.map(row).join('\n')}
`;

/** Escapes text so that roff prints it unchanged. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\[u2026]')
    .replaceAll('–', '\\(en');

/** Wraps such text to fit a terminal; no line begins like a roff request. */
const filled = (text: string): string =>
  plain(text)
    .replace(/(.{1,76})(?: |$)/g, '$1\n')
    .trimEnd()
    .replace(/^(['.])/gm, '\\&$1');

/** A term in the margin with its description; separate lines stay separate. */
const item = (term: string, ...about: readonly string[]): string =>
  ['.TP', `.B ${plain(term)}`, about.map(filled).join('\n.br\n')].join('\n');

const placeholder = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const everywhere = ['--home', '--config', '--json', '--help'];

/** A command with its options and examples. */
function section(command: Command, leaf: RunnableCommand, words: readonly string[]): string[] {
  const help = command.createHelp();
  const title = ['imgstore', ...words, ...command.registeredArguments.map(placeholder)].join(' ');
  const shown = help.visibleOptions(command).filter(({ long }) => !everywhere.includes(long ?? ''));
  return [
    `.SS ${plain(title)}`,
    filled(`${command.description()}.`),
    ...command.registeredArguments.map((one) =>
      item(placeholder(one), help.argumentDescription(one)),
    ),
    ...shown.map((option) => item(option.flags, help.optionDescription(option))),
    '.PP',
    '.EX',
    ...(leaf.examples ?? []).map((example) => plain(`    imgstore ${example}`)),
    '.EE',
  ];
}

async function sections(
  command: Command,
  leaves: ReadonlyMap<Command, RunnableCommand>,
  words: readonly string[] = [],
): Promise<string[]> {
  const leaf = leaves.get(command);
  if (leaf?.hidden) return [];
  if (leaf) await complete(command, leaf, true);
  const own = leaf ? section(command, leaf, words) : [];
  const below: string[] = [];
  for (const child of command.commands) {
    below.push(...(await sections(child, leaves, [...words, child.name()])));
  }
  return [...own, ...below];
}

function settingItem(key: OptionKey): string {
  const setting = settingOf(key);
  const flag = flaggedKeys.includes(key) ? [`${flagOf(key)} <${metavarOf(setting)}>`] : [];
  const spellings = [...flag, variableOf(key), ...secretFile(key)].join(', ');
  return item(key, `${setting.about}.`, spellings, `default: ${defaultTextOf(setting)}`);
}

/** The date of the latest version. */
const released = (): string =>
  / - (\d{4}-\d{2}-\d{2})$/m.exec(readFileSync(packageFile('CHANGELOG.md'), 'utf8'))?.[1] ?? '""';

async function manPage(): Promise<string> {
  const { program, leaves } = await loadProgram(chapters);
  const common = program
    .createHelp()
    .visibleOptions(program)
    .map((option) => item(option.flags, option.description));
  return `.\\" Made by "npm run docs" from the commands, their options, and the settings.
.TH IMGSTORE 1 ${released()} imgstore "User Commands"
.SH NAME
imgstore \\- self\\-hosted image storage
.SH SYNOPSIS
.B imgstore
.I command
.RI [ options ]
.SH DESCRIPTION
Serves an HTTP API for images, based on PostgreSQL with PostGIS and an object
store, and sets up, inspects, and administers the service.
.B imgstore up
sets up what is missing and serves;
.B imgstore
.I command
.B \\-\\-help
shows one command.
.PP
The package for Debian serves as the user
.BR imgstore ;
when run by root, the command switches to that user and uses this machine's
home.
.SH OPTIONS
Every command takes these, before or after its name, and every setting as an
option.
${common.join('\n')}
.SH COMMANDS
${(await sections(program, leaves)).join('\n')}
.SH SETTINGS
A setting can be given as an option of any command, as an environment variable,
or in config.yaml in the home directory; the first of these takes precedence.
A secret may also be in a file named by the variable that ends in _FILE.
${optionKeys.map(settingItem).join('\n')}
.SH EXIT STATUS
0 success, 1 failure, 2 wrong usage, 3 a comparison worked and found
differences, 69 a dependency is down, 78 invalid configuration.
.SH FILES
.TP
.I ~/.local/share/imgstore
the home, unless
.B \\-\\-home
or IMGSTORE_HOME names another: secrets, config.yaml, private database, images
.TP
.I /etc/imgstore/config.yaml
settings of the package for Debian, with a description of each
.TP
.I /var/lib/imgstore
the home of the package for Debian
.SH SEE ALSO
.BR systemctl (1),
.BR journalctl (1);
.I /usr/share/doc/imgstore
`;
}

/** Each page that this writes, by its path. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/commands.md': commandReference,
  'docs/configuration.md': configurationReference,
  'man/imgstore.1': manPage,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(packageFile(path), await write());
  }
}
