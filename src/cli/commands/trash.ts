import { Option } from 'commander';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { toBytes, toMegabytes, counted, sizeText } from '../../base/units.js';
import type { TrashRow, TrashScope } from '../../library/tree/trash.js';
import { confirm } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants, type OpenTenants } from '../open.js';
import { SilentExit } from '../ui.js';

const trashOptions = (): Option[] => [
  new Option('--platform <id>', "This platform's users"),
  new Option('--user <id>', 'This user'),
];

export const command: CommandDetails = {
  commands: [
    {
      name: 'list',
      description: "List each user's trash: how much, and since when",
      options: trashOptions(),
      examples: ['trash list', 'trash list --platform PLATFORM_ID'],
      run: listTrash,
    },
    {
      name: 'empty',
      description: 'Permanently delete everything in the trash now',
      options: trashOptions(),
      asks: true,
      examples: ['trash empty --user USER_ID'],
      run: emptyTrashNow,
    },
  ],
};

interface Options {
  readonly platform?: string;
  readonly user?: string;
}

const contents = (trash: { images: number; folders: number }, and = ', '): string =>
  `${counted(trash.images, 'image')}${and}${counted(trash.folders, 'folder')}`;

async function listTrash(context: Context, options: Options): Promise<void> {
  const { readTrash } = await import('../../library/tree/trash.js');
  const rows = await withTenants(context, async (tenants) =>
    readTrash(tenants.db, await scopeOf(tenants, options)),
  );
  const document = rows.map((row) => ({
    user_id: row.userId,
    platform_id: row.platformId,
    platform_user_id: row.platformUserId,
    images: row.images,
    folders: row.folders,
    stored_mb: toMegabytes(row.bytes),
    oldest: row.oldest.toISOString(),
  }));
  context.ui.list({
    document,
    headers: ['USER ID', 'SINCE', 'SIZE', 'IMAGES', 'FOLDERS', 'USER'],
    rows: document.map((u) => [
      u.user_id,
      u.oldest.slice(0, 10),
      sizeText(toBytes(u.stored_mb)),
      u.images.toLocaleString('en'),
      u.folders.toLocaleString('en'),
      u.platform_user_id,
    ]),
    none: 'The trash is empty.',
  });
}

async function emptyTrashNow(context: Context, options: Options): Promise<void> {
  if (!options.platform && !options.user) {
    throw wrongUsage('Specify whose trash to empty: --platform ID or --user ID.', {
      setting: '--platform, --user',
    });
  }
  const emptied = await empty(context, options);
  const { images, folders, holds } = emptied;
  const deleted = `Deleted ${contents({ images, folders }, ' and ')}; the service deletes the files within minutes.`;
  const text = [deleted, ...holds.map((id) => `The hold ${id} kept what it is on.`)].join('\n');
  context.ui.result({ document: emptied, text });
  if (holds.length > 0) throw new SilentExit(ExitCode.different);
}

/** @throws ServiceError for a platform or user that does not exist. */
async function scopeOf(
  { platforms, users }: Pick<OpenTenants, 'platforms' | 'users'>,
  { platform, user }: Options,
): Promise<TrashScope> {
  const platformId = platform && (await platforms.get(platform)).id;
  const userId = user && (await users.get(platformId, user)).id;
  return { ...(platformId && { platformId }), ...(userId && { userId }) };
}

async function empty(context: Context, options: Options) {
  const { readTrash, emptyTrash } = await import('../../library/tree/trash.js');
  const { noteAct } = await import('../../http/audit/acts.js');
  return withTenants(context, async (tenants) => {
    const { db } = tenants;
    const scope = await scopeOf(tenants, options);
    await confirm(context, question(await readTrash(db, scope)));
    await noteAct(db, { act: 'trash.empty', ...scope });
    return emptyTrash({ db, scope, actor: 'admin', days: 0 });
  });
}

function question(trash: readonly TrashRow[]): string {
  const sum = (figure: 'images' | 'folders') => trash.reduce((n, row) => n + row[figure], 0);
  const all = contents({ images: sum('images'), folders: sum('folders') }, ' and ');
  return `Permanently delete ${all} of ${counted(trash.length, 'user')}?`;
}
