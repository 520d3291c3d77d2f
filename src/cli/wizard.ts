import { constants, existsSync } from 'node:fs';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Home, userFolder } from '../base/config/home.js';
import type { Settings } from '../base/config/load.js';
import type { OptionKey } from '../base/config/options.js';
import { OperatorError, badConfiguration } from '../base/errors/operator.js';
import { isOfDisk } from '../base/os/files.js';
import { checkDatabase } from '../database/postgres/check-external.js';
import { checkPrivateDatabase, planDatabase } from '../database/postgres/provision.js';
import { assertPortFree } from '../http/server.js';
import { notWritable } from '../ops/home.js';
import { bucketConfigOf, namesS3 } from '../store/s3/settings.js';
import { parseName } from './ask.js';
import { flaggedValues, inHome, type Context } from './context.js';
import { Asking, check, parsed, Trail, type Chosen } from './wizard-asking.js';

export interface AnsweredSettings extends Settings {
  /** Values given by flag or answer. */
  readonly chosen: Chosen;
}

/** Whether there is a person to ask and anything to ask: a home with a config.yaml is set up. */
const asks = ({ ui, yes, home }: Context): boolean =>
  ui.interactive && !yes && !existsSync(home.configFile);

/** Asks for the home, which the returned context has, the settings, and a first platform, if any. */
export function askEverything(given: Context) {
  const trail = new Trail();
  return trail.walk(async () => {
    const context = await chooseHome(given, trail);
    const settings = await chooseSettings(context, trail);
    return { context, settings, platform: await chooseFirstPlatform(context, trail) };
  });
}

/** Asks for the settings alone. */
export function askSettings(context: Context): Promise<AnsweredSettings> {
  const trail = new Trail();
  return trail.walk(() => chooseSettings(context, trail));
}

/** Asks where everything goes, unless a flag or variable names it. */
const chooseHome = async (context: Context, trail: Trail): Promise<Context> =>
  asks(context) && !context.homeGiven ? askHome(context, trail) : context;

/** Asks for what flags, environment, and file leave open; each answer is tried at once. */
async function chooseSettings(context: Context, trail: Trail): Promise<AnsweredSettings> {
  const settings = await context.settings('nothing');
  const flags = flaggedValues(settings);
  if (!asks(context)) return { ...settings, chosen: flags };
  const asking = new Asking(context, settings, trail);
  const answers = {
    ...(await askReach(asking)),
    ...(await askFiles(asking)),
    ...(await askDatabase(asking)),
  };
  return { ...settings, values: asking.with(answers), chosen: { ...flags, ...answers } };
}

/** @returns undefined if none is wanted yet. */
async function chooseFirstPlatform(context: Context, trail: Trail): Promise<string | undefined> {
  if (!asks(context)) return undefined;
  const asking = new Asking(context, await context.settings('nothing'), trail);
  const message = 'Name of the first platform, your client application (Enter: none yet):';
  const name = await asking.text(message, '', async (text) => {
    if (text.trim() === '') return true;
    try {
      await parseName('The name', text);
      return true;
    } catch (error) {
      if (error instanceof OperatorError) return error.message;
      throw error;
    }
  });
  return name || undefined;
}

/** Asks for the home. @returns the same context with the chosen home. */
async function askHome(context: Context, trail: Trail): Promise<Context> {
  const asking = new Asking(context, await context.settings('nothing'), trail);
  const dir = await asking.untilItWorks<string>(
    (earlier) =>
      asking.text(
        'In which directory should imgstore keep its data?',
        earlier ?? context.home.dir,
        (text) => text.trim() !== '' || 'This must be the path of a directory.',
      ),
    (answer) => assertUsable(pathOf(answer)),
  );
  return inHome(context, new Home(pathOf(dir)));
}

/** No shell expands an answer, so it may still contain `~`. */
const pathOf = (typed: string): string => resolve(typed.replace(/^~(?=\/|$)/, userFolder() ?? '~'));

async function assertUsable(dir: string): Promise<void> {
  let existing = dir;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    const inside = existing === dir ? await readdir(dir) : [];
    const foreign = inside.filter((name) => !isOfDisk(name));
    if (foreign.length === 0 || existsSync(join(dir, 'secrets'))) return;
  } catch (error) {
    throw notWritable(existing, error);
  }
  throw badConfiguration(`${dir} contains other files.`, {
    remedy: `Choose an empty directory, or one that does not exist yet, such as ${join(dir, 'imgstore')}.`,
  });
}

type Reach = 'here' | 'network' | 'proxy';

/** Asks who may call the API, and on which port. */
async function askReach(asking: Asking): Promise<Chosen> {
  const { host, public_url, trust_proxy } = await askWho(asking);
  const chosen = {
    ...(host !== undefined && { host }),
    ...(public_url !== undefined && { public_url }),
    ...(trust_proxy !== undefined && { trust_proxy }),
  };
  return { ...chosen, ...(await askPort(asking, chosen)) };
}

async function askWho(asking: Asking): Promise<Chosen> {
  const open = (['host', 'public_url', 'trust_proxy'] as const).every((key) => asking.isOpen(key));
  if (!open) return {};
  const reach = await asking.choose<Reach>('Who should be able to reach it?', [
    { name: 'Programs on this machine', value: 'here' },
    { name: 'Other machines, at a public URL behind a reverse proxy', value: 'proxy' },
    { name: 'Other machines, directly and without TLS', value: 'network' },
  ]);
  if (reach === 'here') return {};
  if (reach === 'network') return { host: '0.0.0.0' };
  const url = await asking.text(
    'At which public URL (such as https://img.example.com)?',
    '',
    check('public_url'),
  );
  return { ...parsed('public_url', url), trust_proxy: 1 };
}

async function askPort(asking: Asking, chosen: Chosen): Promise<Chosen> {
  if (!asking.isOpen('port')) return {};
  const { host, port: usual } = asking.with(chosen);
  const port = await asking.untilItWorks<string>(
    (earlier) => asking.text('On which TCP port?', earlier ?? String(usual), check('port')),
    (answer) => assertPortFree(host, Number(answer)),
  );
  return Number(port) === usual ? {} : parsed('port', port);
}

const questions = [
  { key: 's3.endpoint', message: 'URL of the S3 server (such as https://s3.example.com):' },
  { key: 's3.region', message: 'Region, as the server names it:' },
  { key: 's3.bucket', message: 'Bucket, for imgstore alone; it is created if missing:' },
  { key: 's3.access_key', message: 'Access key:' },
  { key: 's3.secret_key', message: 'Secret key:' },
] as const satisfies readonly { key: OptionKey; message: string }[];

/** Asks where the files of images are kept: in the home, or in a bucket. */
async function askFiles(asking: Asking): Promise<Chosen> {
  if (!(await wantsS3(asking))) return {};
  const open = questions.filter(({ key }) => asking.isOpen(key));
  // With the server given, the region is not asked for: it has a default.
  const lacking = namesS3(asking.settings.values)
    ? open.filter(({ key }) => key !== 's3.region')
    : open;
  if (lacking.length === 0) return {};
  return asking.untilItWorks<Chosen>(
    async (earlier = {}) => {
      const chosen: Chosen = {};
      for (const { key, message } of lacking) {
        Object.assign(chosen, await answerOf(asking, { key, message, earlier }));
      }
      return chosen;
    },
    (answers) => tryBucket(asking, answers),
  );
}

async function wantsS3(asking: Asking): Promise<boolean> {
  if (!asking.isOpen('s3.endpoint')) return namesS3(asking.settings.values);
  return asking.choose('Where should uploaded files be kept?', [
    { name: 'On this machine', value: false, description: `In ${asking.context.home.store}` },
    { name: 'In a bucket of an S3 server', value: true },
  ]);
}

interface Asked {
  readonly key: (typeof questions)[number]['key'];
  readonly message: string;
  readonly earlier: Chosen;
}

async function answerOf(asking: Asking, { key, message, earlier }: Asked): Promise<Chosen> {
  const known = earlier[key] ?? asking.settings.values[key];
  const initial = String(known ?? ''); // joined with commas, if there are several
  if (key !== 's3.secret_key') {
    const text = await asking.text(message, initial, (given) =>
      given.trim() === '' ? 'This is required.' : check(key)(given),
    );
    return parsed(key, text);
  }
  const again = initial === '' ? message : `${message} (Enter keeps the one you gave)`;
  const text = await asking.secret(again, (given) => initial !== '' || check(key)(given));
  return { [key]: text || initial };
}

async function tryBucket(asking: Asking, chosen: Chosen): Promise<void> {
  const { prepareBucket } = await import('../ops/prepare-bucket.js');
  const scratch = await mkdtemp(join(tmpdir(), 'imgstore-bucket-'));
  try {
    const bucketConfig = bucketConfigOf(asking.with(chosen));
    const { progress: report, warn } = asking.context.ui;
    await prepareBucket({ bucketConfig, scratch, report, warn });
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** A private database, or one of the operator's. */
async function askDatabase(asking: Asking): Promise<Chosen> {
  if (!asking.isOpen('database.url')) return {};
  const { home, ui } = asking.context;
  const plan = await planDatabase({ home });
  const url = await asking.untilItWorks<string | undefined>(
    async (earlier) => {
      const own = await asking.choose('Which PostgreSQL database should it use?', [
        {
          name: 'A private one, which imgstore sets up and runs',
          value: false,
          description: `It would ${plan.join(', then ')}.`,
        },
        { name: 'An existing one, with PostGIS', value: true },
      ]);
      if (!own) return undefined;
      const message = 'Its URL (postgresql://USER:PASSWORD@HOST/DATABASE):';
      return asking.text(message, earlier ?? '', check('database.url'));
    },
    async (answer) => {
      if (answer === undefined) return checkPrivateDatabase(home);
      ui.progress('Testing the database');
      await checkDatabase(answer);
    },
  );
  return url === undefined ? {} : parsed('database.url', url);
}
