import { access, constants, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Option, InvalidArgumentError } from 'commander';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { ExportImport, RestoredIds } from '../../ops/import/import-export.js';
import { type ImportProgress, Outcomes } from '../../ops/import/outcomes.js';
import { shellWord } from '../../base/os/command-line.js';
import { printable } from '../../base/text.js';
import { toBytes, counted, sizeText, spanText } from '../../base/units.js';
import { readExportManifest, type ReadManifest } from '../../ops/import/exported.js';
import { noSidecar } from '../../ops/import/outcomes.js';
import { UploadRefusal, ServiceClient } from '../../ops/import/service-client.js';
import { FolderPaths, UserLibrary } from '../../ops/import/user-library.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withService, type ReachableService } from '../running-service.js';
import { SilentExit } from '../ui.js';

/** Maximum files at a time; the service makes further uploads of a user wait anyway. */
const maxParallel = 16;

function parallel(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= maxParallel) return count;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${maxParallel}.`);
}

export const command: CommandDetails = {
  arguments: [new Argument('<dir>', 'The tree: directories become folders')],
  options: [
    new Option('--user <id>', 'User who gets the images').makeOptionMandatory(),
    new Option('--folder <id>', 'Folder that the tree goes into (default: the top level)'),
    new Option('--exclude <pattern>', 'Leave out what matches, as in a .gitignore; repeatable')
      .default([], 'nothing')
      .argParser((pattern: string, others: string[]) => [...others, pattern]),
    new Option('--dry-run', 'Only report what would be imported'),
    new Option('--parallel <n>', 'Files read and uploaded at a time')
      .default(4)
      .argParser(parallel),
    new Option('--report <file>', 'Write the outcome of each file, as lines of JSON'),
  ],
  examples: [
    'import ~/Pictures --user USER_ID --dry-run',
    'import ~/Pictures --user USER_ID --report import.ndjson',
    "import ~/Takeout --user USER_ID --exclude '*.gif' --exclude Trash/",
  ],
  run: importTree,
};

interface ImportOptions {
  readonly dir: string;
  readonly user: string;
  readonly folder?: string;
  readonly exclude: readonly string[];
  readonly dryRun?: boolean;
  readonly parallel: number;
  readonly report?: string;
}

async function importTree(context: Context, options: ImportOptions): Promise<void> {
  const root = await directoryAt(options.dir);
  const manifest = await readExportManifest(root);
  if (manifest) assertForExports(options);
  const outcomes = await Outcomes.open(options.report);
  await advising('Run the command again: it continues where it stopped.', async () => {
    const { progress, folders } = await withService(context, (service) =>
      run(context, service, { ...options, root, outcomes, manifest }),
    );
    printResult(context, options, outcomes, progress, folders);
  }).finally(() => outcomes.close());
  if (outcomes.counts.refused > 0) throw new SilentExit(ExitCode.failure);
}

/** @throws OperatorError (2) for flags that do not apply to exports. */
function assertForExports({ folder, dryRun, exclude }: ImportOptions): void {
  const given = { '--folder': folder, '--dry-run': dryRun, '--exclude': exclude[0] };
  const setting = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (setting === undefined) return;
  throw wrongUsage(`${setting} is for trees of pictures; this is an export.`, {
    setting,
    remedy: `Run it again without ${setting}.`,
  });
}

/** @throws OperatorError (2). */
async function directoryAt(path: string): Promise<string> {
  const unreadable = (cause: unknown): never => {
    const { code } = cause as NodeJS.ErrnoException;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    throw wrongUsage(missing ? `There is no ${path}.` : `${path} cannot be read (${code}).`, {
      setting: 'DIR',
      remedy: code === 'EACCES' ? grantRemedy(path) : 'Correct the path, or mount its file system.',
      cause,
    });
  };
  const found = await stat(path).catch(unreadable);
  if (!found.isDirectory()) {
    throw wrongUsage(`${path} is not a directory.`, {
      setting: 'DIR',
      remedy: 'Name the directory that contains it.',
    });
  }
  await access(path, constants.R_OK | constants.X_OK).catch(unreadable);
  return realpath(path);
}

/** The uid may come as a surprise: started as root, the command runs as the owner of the home. */
const grantRemedy = (path: string): string =>
  `Let uid ${process.getuid?.()}, which the command runs as, read it: sudo setfacl -R -m u:${process.getuid?.()}:rX ${shellWord(path)}; the directories above need "x".`;

/** What an import needs besides its flags. */
interface Importing extends ImportOptions {
  readonly root: string;
  readonly outcomes: Outcomes;
  readonly manifest: ReadManifest | undefined;
}

async function run(context: Context, service: ReachableService, options: Importing) {
  const { TreeImport } = await import('../../ops/import/import-tree.js');
  const { excludes } = await import('../../ops/import/scan-tree.js');
  const { interrupted: signal, ui } = context;
  const { base, tenants, config } = service;
  const { id: userId, platform_id: platformId } = await tenants.users.get(undefined, options.user);
  const token = async (): Promise<string> =>
    (await tenants.tokens.reissueAccess([{ platformId, userId }]))[0] ?? '';
  const client = new ServiceClient({ base, token, signal });
  const report = (so: ImportProgress): void => ui.progress(progressText(so));
  const { root, outcomes, parallel, manifest } = options;
  const common = { root, outcomes, parallel, signal, report, clock: tenants.clock };
  if (manifest) {
    const state = join(context.home.imports, `${manifest.id}-${userId}`);
    const restored = await RestoredIds.open(state);
    const importing = new ExportImport({ ...common, manifest, client, userId, restored });
    const progress = await importing.run().finally(() => restored.close());
    return { progress, folders: importing.foldersCreated };
  }
  const library = new UserLibrary(client, userId);
  const folders = await FolderPaths.open(library, options.folder).catch((error: unknown) => {
    if (!(error instanceof UploadRefusal)) throw error;
    throw wrongUsage(error.message, {
      setting: '--folder',
      remedy: 'Use the ID of one of their folders, or omit --folder to import to the top level.',
      cause: error,
    });
  });
  const progress = await new TreeImport({
    ...common,
    library,
    folders,
    maxBytes: toBytes(config['limits.max_upload_mb']),
    isExcluded: excludes(options.exclude),
    dryRun: options.dryRun === true,
  }).run();
  return { progress, folders: folders.created };
}

function progressText({ files, of, bytes, seconds }: ImportProgress): string {
  const rate = `${sizeText(bytes / Math.max(seconds, 1))}/s`;
  const left = (seconds / Math.max(files, 1)) * (of - files);
  const share = `${files.toLocaleString('en')} of ${counted(of, 'file')}`;
  return `${share}, ${sizeText(bytes)}, ${rate}, ${spanText(left)} left`;
}

function printResult(
  { ui }: Context,
  { user, dryRun = false, report }: ImportOptions,
  { counts, listed, sources, withoutSidecar }: Outcomes,
  { bytes, uploaded, seconds }: ImportProgress,
  folders: number,
): void {
  const document = {
    user_id: user,
    dry_run: dryRun,
    ...counts,
    ...sources,
    without_sidecar: withoutSidecar,
    folders_created: folders,
    bytes_read: bytes,
    bytes_uploaded: uploaded,
    seconds: Math.round(seconds * 10) / 10,
    files: listed,
  };
  const lines = listed.map(
    ({ path, outcome, reason, message = '' }) =>
      `${(reason === noSidecar ? reason : outcome).replace('_', ' ')}  ${printable(path)}: ${printable(message)}`,
  );
  const more = counts.refused + counts.left_alone + withoutSidecar - listed.length;
  if (more > 0) lines.push(`… and ${more.toLocaleString('en')} more; --report FILE has all.`);
  const verb = dryRun ? 'would be imported' : 'imported';
  lines.push(
    `${counted(counts.imported, 'image')} ${verb}, ${counts.present.toLocaleString('en')} already there, ${counts.in_trash.toLocaleString('en')} in the trash, ${counts.refused.toLocaleString('en')} refused, ${counts.left_alone.toLocaleString('en')} left alone.`,
    ...sourceLines(sources),
    `${sizeText(bytes)} read, ${counted(folders, 'folder')} created, ${spanText(seconds)}.`,
  );
  if (report !== undefined) lines.push(`Report: ${report}`);
  ui.result({ document, text: lines.join('\n') });
}

const sourceNames = {
  exif: 'EXIF',
  xmp: 'XMP',
  takeout: 'Takeout',
  file: 'the date of the file',
  none: 'nowhere',
};

/** Where times and places come from; nothing if no picture was imported. */
function sourceLines({ time_from: times, place_from: places }: Outcomes['sources']): string[] {
  const list = (from: typeof times): string =>
    (['exif', 'xmp', 'takeout', 'file', 'none'] as const)
      .filter((source) => from[source] > 0)
      .map((source) => `${from[source].toLocaleString('en')} from ${sourceNames[source]}`)
      .join(', ');
  const [time, place] = [list(times), list(places)];
  return time === '' ? [] : [`Times: ${time}. Places: ${place}.`];
}
