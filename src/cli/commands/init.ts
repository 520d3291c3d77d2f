import { Option } from 'commander';
import { ServiceError } from '../../base/errors/catalogue.js';
import { commandLine } from '../../base/os/command-line.js';
import type { Initialized } from '../../ops/initialize.js';
import { namesS3 } from '../../store/s3/settings.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withTenants } from '../open.js';
import { tokenFile, writeTokenFiles } from '../token-files.js';
import type { AnsweredSettings } from '../wizard.js';

export const command: CommandDetails = {
  options: [
    new Option('--plan', 'Show what would be done without doing it'),
    new Option(
      '--master-key-file <file>',
      'Join the installation that has this master key (IMGSTORE_MASTER_KEY_FILE)',
    ),
  ],
  settings: [
    'host',
    'port',
    'public_url',
    'trust_proxy',
    'database.url',
    's3.endpoint',
    's3.bucket',
    's3.region',
  ],
  asks: true,
  examples: [
    'init',
    'init --plan',
    'init --yes --home /srv/photos --port 8081',
    'init --s3-endpoint https://s3.example.com --s3-bucket photos',
  ],
  run: init,
};

/** The file with a master key that the environment names. */
export const givenKeyFile = (): string | undefined =>
  process.env.IMGSTORE_MASTER_KEY_FILE || undefined;

async function init(
  given: Context,
  { plan, masterKeyFile = givenKeyFile() }: { plan?: boolean; masterKeyFile?: string },
): Promise<void> {
  if (plan) return showPlan(given);
  return advising(again, () => setUpByAsking(given, masterKeyFile));
}

const again = 'Run the same command again: it is safe, and continues where this one stopped.';

async function setUpByAsking(given: Context, masterKeyFile: string | undefined): Promise<void> {
  const { askEverything } = await import('../wizard.js');
  const { context, settings, platform } = await askEverything(given);
  const done = await setUp(context, settings, masterKeyFile);
  const { dir } = context.home;
  const lines = [
    ...remarks(done, settings),
    ...(platform === undefined ? [] : [await createFirst(context, platform)]),
    `${dir} is ready. Next: ${commandLine('serve', '--home', dir)}`,
  ];
  context.ui.result({ document: done, text: lines.join('\n') });
}

async function showPlan(context: Context): Promise<void> {
  const { planInitialize } = await import('../../ops/initialize.js');
  const { home, ui } = context;
  const { values: config } = await context.settings('nothing');
  const steps = await planInitialize({ home, config, report: ui.progress });
  const text =
    steps.map((step) => `- ${step}`).join('\n') || `Nothing to do: ${home.dir} is ready.`;
  ui.result({ document: { steps }, text });
}

/** Asks for open settings, then sets everything up, for a command that then serves. */
export const initializeHome = (context: Context): Promise<void> =>
  advising(again, async () => {
    const { askSettings } = await import('../wizard.js');
    await setUp(context, await askSettings(context), givenKeyFile());
  });

async function setUp(
  { home, ui, interrupted }: Context,
  { values, chosen }: AnsweredSettings,
  masterKeyFile: string | undefined,
): Promise<Initialized> {
  const { initialize } = await import('../../ops/initialize.js');
  return initialize({
    home,
    config: values,
    chosen,
    masterKeyFile,
    report: ui.progress,
    warn: ui.warn,
    signal: interrupted,
  });
}

/** @returns a line about it. */
async function createFirst(context: Context, name: string): Promise<string> {
  try {
    const made = await withTenants(context, ({ platforms }) => platforms.create(name));
    await writeTokenFiles(context.home, { platform: made.access_token });
    return `Platform "${name}" (${made.id}): its token is in ${tokenFile(context.home, 'platform')}`;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'platform_exists') throw error;
    return `Platform "${name}" is in this database already.`;
  }
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
    const move = commandLine('store', 'migrate', '--to', 's3');
    said.push(`Images stay in the home directory. To move them: ${move}`);
  }
  if (done.store === 's3' && sources['s3.secret_key'] === 'environment') {
    said.push('The S3 keys came from the environment; serve needs them there too.');
  }
  return said;
}
