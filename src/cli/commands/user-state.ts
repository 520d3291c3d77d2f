import { noteAct } from '../../http/audit/acts.js';
import { actAs } from '../../database/fairness.js';
import { removeUser } from '../../library/deletion/user-removal.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { commandLine } from '../../base/os/command-line.js';
import { Usage } from '../../library/quota/usage.js';
import { remainingObjects } from '../../library/reclaim/reclaim.js';
import { infoOf } from '../../library/users/accounts.js';
import { userChanges } from '../../library/users/schemas.js';
import { toBytes, counted, sizeText } from '../../base/units.js';
import { confirm } from '../confirm.js';
import { remainingText } from '../erasure-text.js';
import type { Context } from '../context.js';
import { wrongUsage } from '../../base/errors/operator.js';
import { withTenants, type OpenTenants } from '../tenants.js';
import { userText } from '../record-text.js';

/** A user's record, state, and usage. */
async function describe({ db, users }: OpenTenants, id: string) {
  const user = await users.get(undefined, id);
  const info = infoOf(await new Usage(db).of(user.id));
  return { ...user, suspended_at: await users.suspendedAt(user.id), ...info };
}

type Described = Awaited<ReturnType<typeof describe>>;

const size = (megabytes: number): string => sizeText(toBytes(megabytes));

const lines = (user: Described): string =>
  [
    `user      ${user.platform_user_id}`,
    `id        ${user.id}`,
    `platform  ${user.platform_id}`,
    `state     ${user.suspended_at ? `suspended since ${user.suspended_at}` : 'active'}`,
    `created   ${user.created_at}`,
    `contents  ${counted(user.image_count, 'image')}, ${user.trash_image_count} in the trash`,
    `storage   ${size(user.used_storage_mb)} of ${size(user.max_storage_mb)}`,
  ].join('\n');

/** A user; of a deleted one, what is still stored. */
export async function showUser(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const result = await withTenants(context, async (tenants) => {
    try {
      const document = await describe(tenants, id);
      return { document, text: lines(document) };
    } catch (error) {
      const remaining = await remainingObjects(tenants.db, id);
      if (!(error instanceof ServiceError) || remaining.objects === 0) throw error;
      const text = `user      ${id}\nstate     deleted\nfiles     ${remainingText(remaining)}`;
      return { document: { id, state: 'deleted', remaining }, text };
    }
  });
  context.ui.result(result);
}

/** Suspends or resumes. */
const setSuspended =
  (suspended: boolean, said: string) =>
  async (context: Context, _options: object, [id = '']: string[]): Promise<void> => {
    const document = await withTenants(context, async ({ users }) => ({
      ...(await users.suspend(id, suspended)),
      suspended_at: await users.suspendedAt(id),
    }));
    context.ui.result({ document, text: `${userText(document)}  ${said}` });
  };

export const suspendUser = setSuspended(
  true,
  'suspended: the tokens are refused from the next request on.',
);
export const resumeUser = setSuspended(false, 'resumed: the tokens work again.');

/** Shows a user's quota, or sets it. The limit for users' own changes does not apply to operators. */
export async function userQuota(
  context: Context,
  _options: object,
  [id = '', wanted]: (string | undefined)[],
): Promise<void> {
  const parsed = userChanges().safeParse({ max_storage_mb: wanted });
  if (!parsed.success) {
    throw wrongUsage(`The quota must be ${parsed.error.issues[0]?.message}.`, { setting: 'mb' });
  }
  const { max_storage_mb: megabytes } = parsed.data;
  const document = await withTenants(context, async (tenants) => {
    const { id: userId, platform_id: platformId } = await tenants.users.get(undefined, id);
    if (megabytes !== undefined) {
      await tenants.db.transaction(async (tx) => {
        await actAs(tx, 'admin');
        await new Usage(tx).setQuota(userId, toBytes(megabytes));
        const details = { max_storage_mb: megabytes };
        await noteAct(tx, { act: 'user.quota', platformId, userId, details });
      });
    }
    return describe(tenants, id);
  });
  const text = `${size(document.used_storage_mb)} of ${size(document.max_storage_mb)}`;
  context.ui.result({ document, text });
}

export async function deleteUser(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withTenants(context, async (tenants) => {
    const user = await describe(tenants, id);
    const images = counted(user.image_count + user.trash_image_count, 'image');
    await confirm(context, `Permanently delete the user ${user.platform_user_id} with ${images}?`);
    context.ui.progress(`Deleting ${images}`);
    return tenants.db.transaction(async (tx) => {
      await actAs(tx, 'admin');
      const { platform_id: platformId, id: userId } = user;
      await noteAct(tx, { act: 'user.delete', platformId, userId });
      return removeUser(tx, userId);
    });
  });
  const { deleted_images: images, deleted_folders: folders } = document;
  const text = `Deleted ${counted(images, 'image')} and ${counted(folders, 'folder')}; the service deletes the files within minutes. Until then, ${commandLine('user', 'show', id)} shows what is left.`;
  context.ui.result({ document, text });
}
