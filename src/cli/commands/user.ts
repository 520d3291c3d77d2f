import { Argument, Option } from 'commander';
import { ServiceError } from '../../base/errors/catalogue.js';
import { wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { printable } from '../../base/text.js';
import { toBytes, counted, sizeText } from '../../base/units.js';
import { collect } from '../../http/paging/batches.js';
import { confirm, parseName } from '../ask.js';
import type { ById, CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants, type OpenTenants } from '../open.js';
import { keptText, tokenText, userText } from '../record-text.js';

const user = new Argument('<id>', 'Id of the user');

const platformOption = new Option('--platform <id>', 'Id of the platform').makeOptionMandatory();

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: 'Create a user of a platform and issue the first tokens',
      options: [
        platformOption,
        new Option(
          '--platform-user-id <id>',
          "The platform's own identifier for the user",
        ).makeOptionMandatory(),
      ],
      examples: ['user create --platform PLATFORM_ID --platform-user-id kim'],
      run: createUser,
    },
    {
      name: 'list',
      description: "List a platform's users",
      options: [platformOption],
      examples: ['user list --platform PLATFORM_ID'],
      run: listUsers,
    },
    {
      name: 'token',
      description: 'Issue new tokens for a user',
      arguments: [user],
      examples: ['user token USER_ID'],
      run: issueUserTokens,
    },
    {
      name: 'show',
      description: 'Show a user: state, images, storage',
      arguments: [user],
      examples: ['user show USER_ID', 'user show USER_ID --json'],
      run: showUser,
    },
    {
      name: 'suspend',
      description: 'Refuse all tokens of a user until the user is resumed',
      arguments: [user],
      examples: ['user suspend USER_ID'],
      run: (context, { id }: ById) => setSuspended(context, id, true),
    },
    {
      name: 'resume',
      description: "End a user's suspension; the tokens work again",
      arguments: [user],
      examples: ['user resume USER_ID'],
      run: (context, { id }: ById) => setSuspended(context, id, false),
    },
    {
      name: 'quota',
      description: 'Show or set what a user may store, in megabytes',
      arguments: [user, new Argument('[mb]', 'The new quota')],
      examples: ['user quota USER_ID', 'user quota USER_ID 20480'],
      run: userQuota,
    },
    {
      name: 'delete',
      description: 'Permanently delete a user with all folders and images',
      arguments: [user],
      asks: true,
      examples: ['user delete USER_ID'],
      run: deleteUser,
    },
  ],
};

/** A user's record, state, and usage. */
async function describe({ db, users }: OpenTenants, id: string) {
  const { waitingObjects } = await import('../../library/reclaim/reclaim.js');
  const { infoOf } = await import('../../library/users/accounts.js');
  const { Usage } = await import('../../library/quota/usage.js');
  const user = await users.get(undefined, id);
  const info = infoOf(await new Usage(db).of(user.id));
  const waiting = await waitingObjects(db, user.id);
  return { ...user, suspended_at: await users.suspendedAt(user.id), ...info, waiting };
}

type Described = Awaited<ReturnType<typeof describe>>;

const size = (megabytes: number): string => sizeText(toBytes(megabytes));

const lines = (user: Described): string =>
  [
    `user      ${printable(user.platform_user_id)}`,
    `id        ${user.id}`,
    `platform  ${user.platform_id}`,
    `state     ${user.suspended_at ? `suspended since ${user.suspended_at}` : 'active'}`,
    `created   ${user.created_at}`,
    `contents  ${counted(user.image_count, 'image')}, ${user.trash_image_count} in the trash`,
    `storage   ${size(user.used_storage_mb)} of ${size(user.max_storage_mb)}`,
    `deleted   ${keptText(user.waiting)}`,
  ].join('\n');

/** A user; of a deleted one, what is still stored. */
async function showUser(context: Context, { id }: ById): Promise<void> {
  const { remainingObjects } = await import('../../library/reclaim/reclaim.js');
  const { remainingText } = await import('./platform-delete.js');
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

async function setSuspended(context: Context, id: string, suspended: boolean): Promise<void> {
  const document = await withTenants(context, ({ users }) => users.suspend(id, suspended));
  const said = suspended
    ? 'suspended: the tokens are refused from the next request on.'
    : 'resumed: the tokens work again.';
  context.ui.result({ document, text: `${userText(document)}  ${said}` });
}

/** Shows a user's quota, or sets it. The limit for users' own changes does not apply to operators. */
async function userQuota(
  context: Context,
  { id, mb: wanted }: { id: string; mb?: string },
): Promise<void> {
  const { userChanges } = await import('../../library/users/schemas.js');
  const { actAs } = await import('../../database/fairness.js');
  const { Usage } = await import('../../library/quota/usage.js');
  const { noteAct } = await import('../../http/audit/acts.js');
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

async function deleteUser(context: Context, { id }: ById): Promise<void> {
  const { actAs } = await import('../../database/fairness.js');
  const { noteAct } = await import('../../http/audit/acts.js');
  const { deleteUser: deleteUserOf, finishChanges } =
    await import('../../library/tree/bulk-changes.js');
  const document = await withTenants(context, async (tenants) => {
    const user = await describe(tenants, id);
    const images = counted(user.image_count + user.trash_image_count, 'image');
    await confirm(context, `Permanently delete the user ${user.platform_user_id} with ${images}?`);
    context.ui.progress(`Deleting ${images}`);
    const { deleted, left } = await tenants.db.transaction(async (tx) => {
      await actAs(tx, 'admin');
      const { platform_id: platformId, id: userId } = user;
      await noteAct(tx, { act: 'user.delete', platformId, userId });
      return deleteUserOf(tx, userId);
    });
    await finishChanges(tenants.db, left, { signal: context.interrupted });
    return deleted;
  });
  const { deleted_images: images, deleted_folders: folders } = document;
  const text = `Deleted ${counted(images, 'image')} and ${counted(folders, 'folder')}; the service deletes the files after store.deletion_delay_hours. Until then, ${commandLine('user', 'show', id)} shows what is left.`;
  context.ui.result({ document, text });
}

async function createUser(
  context: Context,
  options: { platform: string; platformUserId: string },
): Promise<void> {
  const name = await parseName('--platform-user-id', options.platformUserId);
  const document = await withTenants(context, async ({ platforms, users }) =>
    users.create((await platforms.get(options.platform)).id, name, { actor: 'admin' }),
  );
  const text = userText({ ...document, id: document.user_id });
  context.ui.result({ document, text: `${text}\n${tokenText(document)}` });
}

async function listUsers(context: Context, options: { platform: string }): Promise<void> {
  const document = await withTenants(context, async ({ platforms, users }) =>
    collect(await users.list((await platforms.get(options.platform)).id)),
  );
  context.ui.list({
    document,
    headers: ['ID', 'USER'],
    rows: document.map((u) => [u.id, u.platform_user_id]),
    none: 'The platform has no users yet.',
  });
}

async function issueUserTokens(context: Context, { id }: ById): Promise<void> {
  const document = await withTenants(context, ({ users }) => users.issueTokens(id));
  context.ui.result({ document, text: tokenText(document) });
}
