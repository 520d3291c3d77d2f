import type { Settings } from '../../base/config/load.js';
import { optionKeys, options } from '../../base/config/options.js';
import { shownOf } from '../../base/config/setting.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import type { Context } from '../context.js';
import { parseKey } from '../parse-key.js';

const shown = ({ values, sources, written }: Settings) =>
  optionKeys.map((key) => {
    const value = shownOf(options[key], values[key], written[key]);
    const hidden = options[key].secret && sources[key] !== 'default';
    return { key, value: hidden ? '(secret)' : (value ?? null), source: sources[key] };
  });

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}

const line = ({ key, value, source }: ReturnType<typeof shown>[number]): string =>
  `${key.padEnd(34)} ${(textOf(value) || '-').padEnd(28)} ${source}`;

export async function showConfig(context: Context): Promise<void> {
  const entries = shown(await context.settings('settings'));
  const document = Object.fromEntries(
    entries.map(({ key, value, source }) => [key, { value, source }]),
  );
  context.ui.result({ document, text: entries.map(line).join('\n') });
}

/** Unlike `show`, this prints secrets, since the setting is requested by name. */
export async function getConfig(
  context: Context,
  _options: object,
  [word = '']: string[],
): Promise<void> {
  const key = parseKey(word);
  const { values, sources, written } = await context.settings('settings');
  const value = shownOf(options[key], values[key], written[key]) ?? null;
  context.ui.result({ document: { key, value, source: sources[key] }, text: textOf(value) });
}

export async function printConfigPath(context: Context): Promise<void> {
  const { configFile } = context.home;
  await context.checkHome('settings');
  context.ui.result({ document: { file: configFile }, text: configFile });
}

export async function checkConfig(context: Context): Promise<void> {
  const { values } = await context.settings('settings');
  if (namesS3(values)) bucketConfigOf(values);
  const document = { ok: true, file: context.home.configFile };
  context.ui.result({ document, text: 'The configuration is valid.' });
}
