import { serviceDataSource } from '../../service-database.js';
import { initialize, type Initialized } from '../../operations/initialize.js';
import { planInitialize } from '../../operations/plan.js';
import { namesS3 } from '../../store/s3/settings.js';
import { openerOf } from '../../stores.js';
import { askForOptions, type AnsweredSettings } from '../ask-settings.js';
import type { Context } from '../context.js';
import { Interrupted, interruptionOf } from '../interrupt.js';

export async function init(
  context: Context,
  { plan, masterKeyFile }: { plan?: boolean; masterKeyFile?: string },
): Promise<void> {
  if (!plan) return initializeHome(context, { tell: true, masterKeyFile });
  const { values: config } = await context.settings('nothing');
  const { home, ui } = context;
  const steps = await planInitialize({
    ...{ home, config },
    report: ui.progress,
    dataSource: (url) => serviceDataSource(url, config),
    openStore: openerOf(home, config),
  });
  const text =
    steps.map((step) => `- ${step}`).join('\n') || `Nothing to do: ${home.dir} is ready.`;
  ui.result({ document: { steps }, text });
}

const again = 'Run the same command again: it is safe, and continues where this one stopped.';

interface InitializeOptions {
  /** Whether to print the outcome as the result. */
  readonly tell: boolean;
  readonly masterKeyFile?: string | undefined;
}

/** Asks for open settings, then sets everything up. */
export async function initializeHome(context: Context, options: InitializeOptions): Promise<void> {
  try {
    await prepareHome(context, options);
  } catch (error) {
    const interruption = interruptionOf(error);
    throw interruption ? new Interrupted(interruption.signal, again) : error;
  }
}

async function prepareHome(
  context: Context,
  { tell, masterKeyFile = process.env.IMGSTORE_MASTER_KEY_FILE || undefined }: InitializeOptions,
): Promise<void> {
  const { home, ui } = context;
  const settings = await askForOptions(context, await context.settings('nothing'));
  const done = await initialize({
    home,
    config: settings.values,
    chosen: settings.chosen,
    masterKeyFile,
    report: ui.progress,
    signal: context.interrupted,
    dataSource: (url) => serviceDataSource(url, settings.values),
    openStore: openerOf(home, settings.values),
  });
  if (!tell) return;
  const ready = `${home.dir} is ready. Next: imgstore serve --home ${home.dir}`;
  ui.result({ document: done, text: [...remarks(done, settings), ready].join('\n') });
}

/** Notes that prevent wrong assumptions about what init did. */
function remarks(done: Initialized, { chosen, sources, values }: AnsweredSettings): string[] {
  const said: string[] = [];
  const lost = Object.keys(chosen);
  if (!done.wrote_config && lost.length > 0) {
    said.push(
      `config.yaml already exists and was not changed; set these there yourself: ${lost.join(', ')}`,
    );
  }
  if (done.store === 'local' && namesS3(values)) {
    said.push('Images stay in the home directory. To move them: imgstore store migrate --to s3');
  }
  if (done.store === 's3' && sources['s3.secret_key'] === 'environment') {
    said.push('The S3 keys came from the environment; serve needs them there too.');
  }
  return said;
}
