// Prints docs/configuration.md from the option table: "npm run docs".
import {
  flaggedKeys,
  flagOf,
  optionKeys,
  options,
  variableOf,
} from '../dist/src/base/config/options.js';
import { defaultTextOf, metavarOf } from '../dist/src/base/config/setting.js';

const cell = (text) => String(text).replaceAll('|', '\\|');

const fallbackOf = (option) => {
  const text = defaultTextOf(option);
  const literal = option.fallback !== undefined && typeof option.fallback !== 'function';
  return literal && text !== 'none' && !Array.isArray(option.fallback) ? `\`${text}\`` : text;
};

const rows = optionKeys.map((key) => {
  const option = options[key];
  const flag = flaggedKeys.includes(key) ? [flagOf(key)] : [];
  const file = option.secret ? [`${variableOf(key)}_FILE`] : [];
  const spellings = [key, ...flag, variableOf(key), ...file];
  const names = spellings.map((name) => `\`${name}\``).join('<br>');
  return `| ${[names, option.about, metavarOf(option), fallbackOf(option)].map(cell).join(' | ')} |`;
});

process.stdout.write(`# Configuration

Each setting has one name in three spellings: a key in \`config.yaml\` in the home directory, a flag of every command, and an environment variable. Flags override variables, variables override the file, and the file overrides the defaults. Keys with a dot may be nested in the file:

\`\`\`yaml
limits:
  max_upload_mb: 100
\`\`\`

\`imgstore config show\` prints the effective values and the source of each; \`imgstore config check\` lists all mistakes at once; \`imgstore config set\` writes one setting to the file ([operating.md](operating.md)). A secret can also be kept in a file whose path is in the variable ending in \`_FILE\`. Set the home directory itself with \`--home\` or \`IMGSTORE_HOME\`, and the path of the file with \`--config\` or \`IMGSTORE_CONFIG\` (the variable is ignored when the home is set with \`--home\`). Durations are written as \`90s\`, \`30m\`, \`12h\`, or \`90d\`; a megabyte is 1,048,576 bytes.

| Setting | Meaning | Values | Default |
|---|---|---|---|
${rows.join('\n')}
`);
