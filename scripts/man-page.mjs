// Prints man/imgstore.1 from the commands, their options, and the settings: "npm run docs".
import { readFileSync } from 'node:fs';

process.env.IMGSTORE_PROGRAM = 'imgstore';
const { chapters } = await import('../dist/src/cli/commands.js');
const { complete, loadProgram } = await import('../dist/src/cli/program.js');
const { flaggedKeys, flagOf, optionKeys, options, variableOf } =
  await import('../dist/src/base/config/options.js');
const { defaultTextOf, metavarOf } = await import('../dist/src/base/config/setting.js');

/** Escapes text so that roff prints it unchanged. */
const plain = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\[u2026]')
    .replaceAll('–', '\\(en');

/** Wraps such text to fit a terminal; no line begins like a roff request. */
const filled = (text) =>
  plain(text)
    .replace(/(.{1,76})(?: |$)/g, '$1\n')
    .trimEnd()
    .replace(/^(['.])/gm, '\\&$1');

/** A term in the margin with its description; separate lines stay separate. */
const item = (term, ...about) =>
  ['.TP', `.B ${plain(term)}`, about.map(filled).join('\n.br\n')].join('\n');

const placeholder = (argument) =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const everywhere = ['--home', '--config', '--json', '--help'];

/** A command with its options and examples. */
function section(command, leaf, words) {
  const help = command.createHelp();
  const title = ['imgstore', ...words, ...command.registeredArguments.map(placeholder)].join(' ');
  const shown = help.visibleOptions(command).filter(({ long }) => !everywhere.includes(long));
  return [
    `.SS ${plain(title)}`,
    filled(`${command.description()}.`),
    ...command.registeredArguments.map((one) =>
      item(placeholder(one), help.argumentDescription(one)),
    ),
    ...shown.map((option) => item(option.flags, help.optionDescription(option))),
    '.PP',
    '.EX',
    ...leaf.examples.map((words) => plain(`    imgstore ${words}`)),
    '.EE',
  ];
}

async function sections(command, leaves, words = []) {
  const leaf = leaves.get(command);
  if (leaf?.hidden) return [];
  if (leaf) await complete(command, leaf, true);
  const own = leaf ? section(command, leaf, words) : [];
  const below = [];
  for (const child of command.commands) {
    below.push(...(await sections(child, leaves, [...words, child.name()])));
  }
  return [...own, ...below];
}

const setting = (key) => {
  const flag = flaggedKeys.includes(key) ? [`${flagOf(key)} <${metavarOf(options[key])}>`] : [];
  const file = options[key].secret ? [`${variableOf(key)}_FILE`] : [];
  const spellings = [...flag, variableOf(key), ...file].join(', ');
  return item(key, `${options[key].about}.`, spellings, `default: ${defaultTextOf(options[key])}`);
};

const { program, leaves } = await loadProgram(chapters);
const common = program
  .createHelp()
  .visibleOptions(program)
  .map((option) => item(option.flags, option.description));

/** The date of the latest version. */
const released = () =>
  / - (\d{4}-\d{2}-\d{2})$/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1] ?? '""';

process.stdout
  .write(`.\\" Made by "npm run docs" from the commands, their options, and the settings.
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
${optionKeys.map(setting).join('\n')}
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
`);
