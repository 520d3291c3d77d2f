// Prints docs/configuration.md from the option table: "npm run docs".
import {
  flaggedKeys,
  flagOf,
  optionKeys,
  options,
  variableOf,
} from '../dist/src/config/options.js';
import { metavarOf } from '../dist/src/config/setting.js';

const cell = (text) => String(text).replaceAll('|', '\\|');

function fallbackOf({ fallback }) {
  if (typeof fallback === 'function') return "the machine's";
  if (fallback === undefined) return 'not set';
  return Array.isArray(fallback) ? fallback.join(', ') || 'none' : `\`${fallback}\``;
}

const rows = optionKeys.map((key) => {
  const option = options[key];
  const flag = flaggedKeys.includes(key) ? [flagOf(key)] : [];
  const file = option.secret ? [`${variableOf(key)}_FILE`] : [];
  const spellings = [key, ...flag, variableOf(key), ...file];
  const names = spellings.map((name) => `\`${name}\``).join('<br>');
  return `| ${[names, option.about, metavarOf(option), fallbackOf(option)].map(cell).join(' | ')} |`;
});

process.stdout.write(`# Configuration

Each setting has one name in three spellings: a key of \`config.yaml\` in the home directory, a flag of every command, and an environment variable. A flag comes before a variable, a variable before the file, the file before the default. Keys with a dot may be nested in the file:

\`\`\`yaml
limits:
  max_upload_mb: 100
\`\`\`

\`imgstore config show\` prints the effective values and where each came from; \`imgstore config check\` finds all mistakes at once. A secret may also stand in a file, which the variable ending in \`_FILE\` names. The home directory itself is \`--home\` or \`IMGSTORE_HOME\`; \`--config\` or \`IMGSTORE_CONFIG\` puts the file elsewhere (the variable for the home of \`IMGSTORE_HOME\` alone). Durations are written as \`90s\`, \`30m\`, \`12h\` or \`90d\`; megabytes have 1,048,576 bytes.

| Setting | Meaning | Values | Default |
|---|---|---|---|
${rows.join('\n')}
`);
