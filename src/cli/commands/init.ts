import { ServiceError } from '../../base/errors/catalogue.js';
import { serviceDataSource } from '../../ops/service-database.js';
import { initialize, type Initialized, planInitialize } from '../../ops/initialize.js';
import { commandLine } from '../../base/os/command-line.js';
import { namesS3 } from '../../store/s3/settings.js';
import { openerOf } from '../../ops/stores.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withTenants } from '../tenants.js';
import { tokenFile, writeTokenFiles } from '../token-files.js';
import {
  chooseFirstPlatform,
  chooseHome,
  chooseSettings,
  type AnsweredSettings,
} from '../wizard/wizard.js';

const givenKeyFile = (): string | undefined => process.env.IMGSTORE_MASTER_KEY_FILE || undefined;

export async function init(
  given: Context,
  { plan, masterKeyFile = givenKeyFile() }: { plan?: boolean; masterKeyFile?: string },
): Promise<void> {
  if (plan) return showPlan(given);
  return advising(again, () => setUpByAsking(given, masterKeyFile));
}

const again = 'Run the same command again: it is safe, and continues where this one stopped.';

async function setUpByAsking(given: Context, masterKeyFile: string | undefined): Promise<void> {
  const context = await chooseHome(given);
  const settings = await chooseSettings(context);
  const platform = await chooseFirstPlatform(context);
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
  const { home, ui } = context;
  const { values: config } = await context.settings('nothing');
  const steps = await planInitialize({
    home,
    config,
    report: ui.progress,
    dataSource: (url) => serviceDataSource(url, config),
    openStore: openerOf(home, config),
  });
  const text =
    steps.map((step) => `- ${step}`).join('\n') || `Nothing to do: ${home.dir} is ready.`;
  ui.result({ document: { steps }, text });
}

/** Asks for open settings, then sets everything up, for a command that then serves. */
export const initializeHome = (context: Context): Promise<void> =>
  advising(again, async () => {
    await setUp(context, await chooseSettings(context), givenKeyFile());
  });

function setUp(
  { home, ui, interrupted }: Context,
  { values, chosen }: AnsweredSettings,
  masterKeyFile: string | undefined,
): Promise<Initialized> {
  return initialize({
    home,
    config: values,
    chosen,
    masterKeyFile,
    report: ui.progress,
    warn: ui.warn,
    signal: interrupted,
    dataSource: (url) => serviceDataSource(url, values),
    openStore: openerOf(home, values),
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
