import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { packageFile } from '../../../base/installed-files.js';
import { createLogger, type Logger } from '../../../base/telemetry/logger.js';
import { imagingProgram } from '../../../imaging/decoder-process.js';
import { extensionOf, type ImageFormat, type Imaging } from '../../../imaging/port.js';
import { prepareSandbox, sandboxRemedy, type Confinement } from '../../../imaging/sandbox.js';
import { imagingSettings, startImaging } from '../../../imaging/start.js';
import { ok, problem, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

/** A small picture of each format. */
const samples = packageFile('assets/formats');

const formatNames = Object.keys(extensionOf) as ImageFormat[];

export const formats: Check = {
  name: 'formats',
  title: 'Pictures of every format can be decoded, and renditions created',
  category: 'machine',
  run: async (context) => {
    const config = await context.config();
    const failures = await inScratch(context, async (folder, logger) => {
      const settings = { ...imagingSettings(config), threads: 1 };
      const imaging = await startImaging({ folder, logger, ...settings });
      try {
        const found: string[] = [];
        for (const format of formatNames) {
          const reason = await failureOf(imaging, folder, format);
          if (reason !== undefined) found.push(`${format}: ${reason}`);
        }
        return found;
      } finally {
        await imaging.close(0);
      }
    });
    if (failures.length === 0) return ok(`${formatNames.join(', ')}.`);
    return problem(
      `Valid pictures cannot be processed: ${failures.join('; ')}.`,
      `If it is a limit: ${context.command('config', 'show')} (limits.max_megapixels, imaging.*); otherwise reinstall imgstore: the image library is incomplete`,
    );
  },
};

/** Runs work with a folder for its files, and a log that nobody sees: what it says is in the finding. */
async function inScratch<T>(
  { home }: DoctorContext,
  work: (folder: string, logger: Logger) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(home.incoming, 'doctor-'));
  const logger = createLogger({ level: 'error', format: 'text' });
  logger.silent = true;
  try {
    return await work(folder, logger);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Why a picture of a format cannot be processed; undefined if it can. */
async function failureOf(
  imaging: Imaging,
  folder: string,
  format: ImageFormat,
): Promise<string | undefined> {
  const own = await mkdtemp(join(folder, 'picture-'));
  const path = join(own, 'upload');
  await copyFile(join(samples, `sample.${extensionOf[format]}`), path);
  const hash = createHash('sha256')
    .update(await readFile(path))
    .digest();
  try {
    const made = await imaging.process({ path, hash }, format);
    if (made.format !== format) return `it is recognized as ${made.format}`;
    if (made.thumb.bytes === 0) return 'its thumbnail is empty';
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.code}`;
  }
}

export const sandbox: Check = {
  name: 'sandbox',
  title: 'Pictures are decoded in bubblewrap',
  category: 'machine',
  run: async (context) => {
    const { 'imaging.sandbox': setting } = await context.config();
    const running = await context.service.find();
    const { level, about, lacks = '' } = running?.confinement ?? (await trial(context));
    if (level === 'bubblewrap') return ok(about);
    const remedy =
      setting === 'off'
        ? `Use it, and restart the service: ${context.command('config', 'set', 'imaging.sandbox', 'auto')}`
        : sandboxRemedy(lacks);
    return warning(`bubblewrap is not used: ${lacks}. ${about}`, remedy);
  },
};

/** What would confine the processes of a service that this user started. */
async function trial(context: DoctorContext): Promise<Confinement> {
  const { 'imaging.sandbox': setting } = await context.config();
  const wanted = setting === 'off' ? 'off' : 'auto';
  return inScratch(
    context,
    async (folder, logger) =>
      (await prepareSandbox(imagingProgram, folder, wanted, logger)).confinement,
  );
}
