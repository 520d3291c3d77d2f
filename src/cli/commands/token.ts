import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Argument, Option } from 'commander';
import { ServiceError } from '../../base/errors/catalogue.js';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { printable } from '../../base/text.js';
import { secondMs } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import type { NarrowToken } from '../../http/auth/narrow-schemas.js';
import type { NarrowOwner } from '../../http/auth/narrow-tokens.js';
import { scopeOf } from '../../http/auth/claims.js';
import type { RawFields } from '../../http/form-fields.js';
import { withTenants, type OpenTenants } from '../open.js';

const ownerOptions = [
  new Option('--user <id>', 'Id of the user whose token it is').conflicts('platform'),
  new Option('--platform <id>', 'Id of the platform whose token it is'),
];

/** Of whoever makes a narrow token. */
export const narrowOptions = [
  new Option('--name <name>', 'What the token is for, as the audit names it'),
  new Option('--allow <words>', 'All that it may, such as read,upload'),
  new Option('--expires-in-days <n>', '1 to 365; default: 90'),
];

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: 'Make a narrow token, which can do no more than --allow says',
      options: [...ownerOptions, ...narrowOptions],
      examples: ['token create --user USER_ID --name phone --allow upload'],
      run: (context, options: OfOwner & NarrowWish) => createNarrow(context, options, options),
    },
    {
      name: 'list',
      description:
        'List narrow tokens that have not ended: of a user, a platform, or administrators',
      options: ownerOptions,
      examples: ['token list --user USER_ID', 'token list --platform PLATFORM_ID --json'],
      run: listNarrow,
    },
    {
      name: 'revoke',
      description: 'Revoke a narrow token at once, on every node',
      arguments: [new Argument('<id>', 'Id of the token')],
      examples: ['token revoke TOKEN_ID'],
      run: revokeNarrow,
    },
    {
      name: 'inspect',
      description: 'Check a token from stdin or a file: whose, until when, revoked or not',
      arguments: [new Argument('[file]', 'A file with the token; stdin if omitted')],
      examples: ['token inspect token.txt', 'token inspect token.txt --json'],
      run: inspectToken,
    },
  ],
};

interface OfOwner {
  readonly user?: string;
  readonly platform?: string;
}

export interface NarrowWish {
  readonly name?: string;
  readonly allow?: string;
  readonly expiresInDays?: string;
}

/** Whether a narrow token is wanted, rather than a plain one. */
export const isNarrow = (wish: NarrowWish): boolean =>
  [wish.name, wish.allow, wish.expiresInDays].some((option) => option !== undefined);

async function ownerOf(tenants: OpenTenants, { user, platform }: OfOwner): Promise<NarrowOwner> {
  const actor = 'admin';
  if (user !== undefined) {
    const { id: userId, platform_id: platformId } = await tenants.users.get(undefined, user);
    return { holder: { userId, platformId }, actor };
  }
  if (platform === undefined) return { holder: {}, actor };
  return { holder: { platformId: (await tenants.platforms.get(platform)).id }, actor };
}

const narrowText = (token: NarrowToken): string =>
  `${token.id}  ${token.allow.join(',')}  until ${token.expires_at}  used ${token.last_used_at ?? 'never'}  ${printable(token.name)}`;

/** Makes a narrow token of whoever is named; of an administrator if nobody is. */
export async function createNarrow(
  context: Context,
  of: OfOwner,
  { name, allow, expiresInDays }: NarrowWish,
): Promise<void> {
  const { newNarrowToken } = await import('../../http/auth/narrow-schemas.js');
  const { validate } = await import('../../http/request-fields.js');
  const wanted: RawFields = { name, allow, expires_in_days: expiresInDays };
  const document = await withTenants(context, async (tenants) => {
    const owner = await ownerOf(tenants, of);
    const fields = validate(newNarrowToken(scopeOf(owner.holder)), wanted);
    return tenants.narrowTokens.create(owner, fields);
  });
  const text = `${narrowText(document)}\n${document.access_token}\nThe token is not shown again.`;
  context.ui.result({ document, text });
}

async function listNarrow(context: Context, of: OfOwner): Promise<void> {
  const document = await withTenants(context, async (tenants) =>
    tenants.narrowTokens.list(await ownerOf(tenants, of)),
  );
  const text = document.map(narrowText).join('\n') || 'No narrow tokens.';
  context.ui.result({ document, text });
}

async function revokeNarrow(context: Context, { id }: { readonly id: string }): Promise<void> {
  const document = await withTenants(context, async ({ narrowTokens }) => {
    const holder = await narrowTokens.holderOf(id);
    return narrowTokens.revoke({ holder, actor: 'admin' }, id);
  });
  context.ui.result({ document, text: narrowText(document) });
}

const states = {
  valid: 'works',
  token_expired: 'has expired',
  token_revoked: 'is revoked',
  token_spent: 'has already been used',
  platform_suspended: 'is refused: the platform is suspended',
  user_suspended: 'is refused: the user is suspended',
} as const;

const instant = (seconds: number): string => new Date(seconds * secondMs).toISOString();

/** Describes a token. It is never an argument: those appear in the list of processes. */
async function inspectToken(context: Context, { file }: { file?: string }): Promise<void> {
  const token = await readToken(file, 'token', 'inspect');
  const { claims, issuedAt, expiresAt, state } = await withTenants(context, async ({ tokens }) =>
    tokens.inspect(token).catch((cause: unknown) => {
      if (!(cause instanceof ServiceError) || cause.code !== 'unauthorized') throw cause;
      throw failure('This is not a token of this installation, or it was altered.', {
        remedy: 'Check that no characters are missing at its ends, and check --home.',
        cause,
      });
    }),
  );
  const document = {
    id: claims.jti,
    kind: claims.typ,
    scope: claims.scope,
    platform_id: claims.platformId ?? null,
    user_id: claims.userId ?? null,
    issued_at: instant(issuedAt),
    expires_at: instant(expiresAt),
    family: claims.fam ?? null,
    key: claims.kid,
    state,
    works: state === 'valid',
  };
  const lines = [
    `${claims.typ} token of ${ownerText(document)}, which ${states[state]}`,
    `id       ${document.id}`,
    `issued   ${document.issued_at}`,
    `expires  ${document.expires_at}`,
    `key      ${claims.kid}`,
    `family   ${document.family ?? '-'}`,
  ];
  context.ui.result({ document, text: lines.join('\n') });
}

function ownerText(token: { platform_id: string | null; user_id: string | null }): string {
  if (token.user_id !== null) return `user ${token.user_id} of platform ${token.platform_id}`;
  return token.platform_id === null ? 'an administrator' : `platform ${token.platform_id}`;
}

/** No token is longer. */
const maxCharacters = 10_000;

/** Reads a token from a file, or stdin, for a command. */
export async function readToken(
  file: string | undefined,
  ...command: readonly string[]
): Promise<string> {
  const remedy = `Name a file with the token, or: ${commandLine(...command)} < FILE`;
  if (file === undefined && process.stdin.isTTY) {
    throw wrongUsage('There is no token on stdin.', { remedy });
  }
  const text = await (file === undefined ? readAll(process.stdin) : readFile(file, 'utf8')).catch(
    (cause: unknown) => {
      throw failure(`Cannot read the token: ${(cause as Error).message}`, {
        setting: 'FILE',
        remedy,
        cause,
      });
    },
  );
  // A token that was copied from a header may include the scheme.
  const token = text.trim().split(/\s+/).at(-1) ?? '';
  if (token === '') throw wrongUsage('The token is empty.');
  if (token.length > maxCharacters) throw wrongUsage('That is too long to be a token.');
  return token;
}
