import type { Command } from 'commander';
import type { Settings } from '../../config/load.js';
import { optionKeys, options } from '../../config/options.js';
import { runs } from '../context.js';

const shown = ({ values, sources }: Settings) =>
  optionKeys.map((key) => {
    const value = values[key];
    const hidden = 'secret' in options[key] && options[key].secret && sources[key] !== 'default';
    return { key, value: hidden ? '(secret)' : (value ?? null), source: sources[key] };
  });

const line = (entry: ReturnType<typeof shown>[number]): string => {
  const value = Array.isArray(entry.value) ? entry.value.join(', ') : String(entry.value ?? '');
  return `${entry.key.padEnd(34)} ${(value || '-').padEnd(28)} ${entry.source}`;
};

export function registerConfig(program: Command): void {
  const config = program.command('config').description('the configuration');
  runs(
    config.command('show').description('effective settings and where each value comes from'),
    async (context) => {
      const entries = shown(await context.settings());
      const document = Object.fromEntries(
        entries.map(({ key, value, source }) => [key, { value, source }]),
      );
      context.ui.result({ document, text: entries.map(line).join('\n') });
    },
  );
  runs(
    config.command('check').description('look for mistakes in flags, environment and file'),
    async (context) => {
      const { values } = await context.settings();
      const { bucketAddress, namesS3 } = await import('../../store/s3/settings.js');
      if (namesS3(values)) bucketAddress(values);
      const document = { ok: true, file: context.home.configFile };
      context.ui.result({ document, text: 'The configuration is in order.' });
    },
  );
}
