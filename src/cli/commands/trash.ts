import { validate as isUuid } from 'uuid';
import { emptyTrash, readTrash } from '../../deletion/empty-trash.js';
import type { TrashRow, TrashScope } from '../../deletion/empty-trash.js';
import { wrongUsage } from '../../errors/operator.js';
import { Usage } from '../../quota/usage.js';
import { confirm } from '../confirm.js';
import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';
import { toMegabytes } from '../../units.js';

interface Options {
  readonly platform?: string;
  readonly user?: string;
}

export async function listTrash(context: Context, options: Options): Promise<void> {
  const scope = scopeOf(options);
  const rows = await withTenants(context, ({ db }) => readTrash(db, scope));
  const document = rows.map((row) => ({
    user_id: row.userId,
    platform_id: row.platformId,
    platform_user_id: row.platformUserId,
    images: row.images,
    folders: row.folders,
    stored_mb: toMegabytes(row.bytes),
    oldest: row.oldest.toISOString(),
  }));
  const lines = document.map(
    (u) =>
      `${u.user_id}  ${u.images} images, ${u.folders} folders, ${u.stored_mb} MB, since ${u.oldest}  ${u.platform_user_id}`,
  );
  context.ui.result({ document, text: lines.join('\n') || 'The trash is empty.' });
}

export async function emptyTrashNow(context: Context, options: Options): Promise<void> {
  const scope = scopeOf(options);
  if (!scope.platformId && !scope.userId) {
    throw wrongUsage('Specify whose trash to empty: --platform ID or --user ID.', {
      setting: '--platform, --user',
    });
  }
  const emptied = await empty(context, scope);
  const { images, folders, stuck } = emptied;
  const text = `Deleted ${images} images and ${folders} folders; disk space is freed within minutes.`;
  const left =
    stuck.length > 0
      ? `\nFolders not deleted because they still contain something: ${stuck.join(', ')}`
      : '';
  context.ui.result({ document: emptied, text: text + left });
}

function scopeOf({ platform, user }: Options): TrashScope {
  for (const [flag, id] of Object.entries({ '--platform': platform, '--user': user })) {
    if (id !== undefined && !isUuid(id)) {
      throw wrongUsage(`${flag} must be a UUID.`, { setting: flag });
    }
  }
  return { ...(platform && { platformId: platform }), ...(user && { userId: user }) };
}

async function empty(context: Context, scope: TrashScope) {
  return withTenants(context, async ({ db }) => {
    await confirm(context, question(await readTrash(db, scope)));
    return emptyTrash({ db, usage: new Usage(db), scope, days: 0 });
  });
}

function question(trash: readonly TrashRow[]): string {
  const sum = (figure: 'images' | 'folders') => trash.reduce((n, row) => n + row[figure], 0);
  return `Permanently delete ${sum('images')} images and ${sum('folders')} folders of ${trash.length} users?`;
}
