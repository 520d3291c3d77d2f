import type { Settings } from '../../config/load.js';
import { optionKeys, options } from '../../config/options.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import type { Context } from '../context.js';

const shown = ({ values, sources }: Settings) =>
  optionKeys.map((key) => {
    const value = values[key];
    const hidden = options[key].secret && sources[key] !== 'default';
    return { key, value: hidden ? '(secret)' : (value ?? null), source: sources[key] };
  });

const line = (entry: ReturnType<typeof shown>[number]): string => {
  const value = Array.isArray(entry.value) ? entry.value.join(', ') : String(entry.value ?? '');
  return `${entry.key.padEnd(34)} ${(value || '-').padEnd(28)} ${entry.source}`;
};

export async function showConfig(context: Context): Promise<void> {
  const entries = shown(await context.settings());
  const document = Object.fromEntries(
    entries.map(({ key, value, source }) => [key, { value, source }]),
  );
  context.ui.result({ document, text: entries.map(line).join('\n') });
}

export async function checkConfig(context: Context): Promise<void> {
  const { values } = await context.settings();
  if (namesS3(values)) bucketConfigOf(values);
  const document = { ok: true, file: context.home.configFile };
  context.ui.result({ document, text: 'The configuration is valid.' });
}
