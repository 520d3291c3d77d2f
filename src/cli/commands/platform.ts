import { Argument, Option } from 'commander';
import { counted, toMegabytes, sizeText } from '../../base/units.js';
import { collect } from '../../http/paging/batches.js';
import { confirm, revocation, parseName } from '../ask.js';
import type { ById, CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants, type OpenTenants } from '../open.js';
import { keptText, platformText, tokenText } from '../record-text.js';
import { identity } from './platform-identity.js';
import { createNarrow, isNarrow, narrowOptions, type NarrowWish } from './token.js';
import { limitLines, limitPlatform, limitsDocument } from './platform-limit.js';

const platform = new Argument('<id>', 'Id of the platform');

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: 'Create a platform and issue its first tokens',
      options: [new Option('--name <name>', 'Unique platform name').makeOptionMandatory()],
      examples: ['platform create --name "Field survey"'],
      run: createPlatform,
    },
    {
      name: 'list',
      description: 'List platforms',
      examples: ['platform list'],
      run: listPlatforms,
    },
    {
      name: 'token',
      description: 'Issue new tokens for a platform',
      arguments: [platform],
      options: narrowOptions,
      examples: [
        'platform token PLATFORM_ID',
        'platform token PLATFORM_ID --name reports --allow read',
      ],
      run: issuePlatformTokens,
    },
    {
      name: 'revoke',
      description: 'Revoke all tokens of a platform and its users at once, on every node',
      arguments: [platform],
      asks: true,
      examples: ['platform revoke PLATFORM_ID'],
      run: revokePlatform,
    },
    {
      name: 'show',
      description: 'Show a platform, its contents and limits; for a deleted one, the report',
      arguments: [platform],
      examples: ['platform show PLATFORM_ID', 'platform show PLATFORM_ID --json'],
      run: showPlatform,
    },
    {
      name: 'rename',
      description: 'Rename a platform; its tokens keep working',
      arguments: [platform],
      options: [new Option('--name <name>', 'Unique platform name').makeOptionMandatory()],
      examples: ['platform rename PLATFORM_ID --name "Field survey 2"'],
      run: renamePlatform,
    },
    {
      name: 'suspend',
      description: 'Refuse all tokens of a platform and its users until it is resumed',
      arguments: [platform],
      examples: ['platform suspend PLATFORM_ID'],
      run: (context, { id }: ById) => setSuspended(context, id, true),
    },
    {
      name: 'resume',
      description: 'End the suspension of a platform; its tokens work again',
      arguments: [platform],
      examples: ['platform resume PLATFORM_ID'],
      run: (context, { id }: ById) => setSuspended(context, id, false),
    },
    {
      name: 'limit',
      description: 'Show or set what all users of a platform may store together',
      arguments: [platform],
      options: [
        new Option(
          '--storage-mb <n>',
          'Megabytes of originals, edits, and text, trash included; or none',
        ),
        new Option('--images <n>', 'Images, trash included; or none'),
        new Option('--users <n>', 'Users; or none'),
      ],
      examples: [
        'platform limit PLATFORM_ID',
        'platform limit PLATFORM_ID --storage-mb 102400 --users 500',
        'platform limit PLATFORM_ID --images none',
      ],
      run: limitPlatform,
    },
    identity,
    {
      name: 'delete',
      description: 'Permanently delete a platform with all users and images; leaves a report',
      arguments: [platform],
      options: [new Option('--confirm <name>', 'The name of the platform; --yes is not enough')],
      examples: ['platform delete PLATFORM_ID --confirm "Field survey"'],
      run: async (context, options) =>
        (await import('./platform-delete.js')).deletePlatform(context, options),
    },
  ],
};

/** A platform with what its users store; for a deleted one, the report of its deletion. */
async function showPlatform(context: Context, { id }: ById): Promise<void> {
  const { readErasure } = await import('../../library/tree/platform-removal.js');
  const { erasureDocument, erasureText } = await import('./platform-delete.js');
  const result = await withTenants(context, async (tenants) => {
    const erasure = await readErasure(tenants.db, id);
    return erasure
      ? { document: erasureDocument(erasure), text: erasureText(erasure) }
      : describe(tenants, id);
  });
  context.ui.result(result);
}

async function describe({ db, platforms, tokens, limits }: OpenTenants, id: string) {
  const { Usage } = await import('../../library/quota/usage.js');
  const { waitingObjects } = await import('../../library/reclaim/reclaim.js');
  const platform = await platforms.get(id);
  const used = await new Usage(db).ofPlatform(platform.id);
  const row = await limits.of(platform.id);
  const waiting = await waitingObjects(db, platform.id);
  const document = {
    suspended_at: null,
    ...platform,
    state: 'active',
    sign_ins: await tokens.countLive(platform.id),
    image_count: used.images,
    stored_mb: toMegabytes(used.storedBytes),
    deleted_mb: toMegabytes(waiting.bytes),
    limits: limitsDocument(row),
  };
  const state = document.suspended_at ? `suspended since ${document.suspended_at}` : 'active';
  const text = [
    `platform  ${platform.platform}`,
    `id        ${platform.id}`,
    `state     ${state}`,
    `created   ${platform.created_at}, changed ${platform.updated_at}`,
    `contents  ${counted(platform.user_count, 'user')}, ${counted(used.images, 'image')}, ${sizeText(used.storedBytes)}, trash included`,
    `deleted   ${keptText(waiting)}`,
    `sign-ins  ${counted(document.sign_ins, 'sign-in')} of the platform and its users`,
    'limits of all users together:',
    ...limitLines(row),
  ];
  const shown = { ...document, state: document.suspended_at ? 'suspended' : 'active' };
  return { document: shown, text: text.join('\n') };
}

async function renamePlatform(
  context: Context,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const unique = await parseName('--name', name);
  const document = await withTenants(context, ({ platforms }) => platforms.rename(id, unique));
  context.ui.result({ document, text: platformText(document) });
}

async function setSuspended(context: Context, id: string, suspended: boolean): Promise<void> {
  const document = await withTenants(context, async ({ platforms }) => ({
    suspended_at: null,
    ...(await platforms.suspend(id, suspended)),
  }));
  const said = suspended
    ? 'suspended: its tokens and those of its users are refused from the next request on.'
    : 'resumed: its tokens work again.';
  context.ui.result({ document, text: `${platformText(document)}  ${said}` });
}

async function createPlatform(context: Context, { name }: { name: string }): Promise<void> {
  const unique = await parseName('--name', name);
  const document = await withTenants(context, ({ platforms }) => platforms.create(unique));
  context.ui.result({ document, text: `${platformText(document)}\n${tokenText(document)}` });
}

async function listPlatforms(context: Context): Promise<void> {
  const document = await withTenants(context, async ({ platforms }) =>
    collect(await platforms.list()),
  );
  context.ui.list({
    document,
    headers: ['ID', 'USERS', 'PLATFORM'],
    rows: document.map((p) => [p.id, p.user_count.toLocaleString('en'), p.platform]),
    none: 'No platforms yet.',
  });
}

async function issuePlatformTokens(
  context: Context,
  { id, ...wish }: ById & NarrowWish,
): Promise<void> {
  if (isNarrow(wish)) return createNarrow(context, { platform: id }, wish);
  const document = await withTenants(context, ({ platforms }) => platforms.issueTokens(id));
  context.ui.result({ document, text: tokenText(document) });
}

async function revokePlatform(context: Context, { id }: ById): Promise<void> {
  const ended = await withTenants(context, async ({ platforms, tokens }) => {
    const { platform } = await platforms.get(id);
    const live = await tokens.countLive(id);
    await confirm(context, revocation(live, `the platform ${platform} and its users`));
    await platforms.revokeTokens(id);
    return live;
  });
  const text = `${counted(ended, 'sign-in')} ended: all tokens of platform ${id} and its users are revoked.`;
  context.ui.result({ document: { id, revoked: true, ended_sign_ins: ended }, text });
}
