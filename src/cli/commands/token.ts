import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Argument } from 'commander';
import { ServiceError } from '../../base/errors/catalogue.js';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { secondMs } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'inspect',
      description: 'Check a token from stdin or a file: whose, until when, revoked or not',
      arguments: [new Argument('[file]', 'A file with the token; stdin if omitted')],
      examples: ['token inspect token.txt', 'token inspect token.txt --json'],
      run: inspectToken,
    },
  ],
};

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
  const token = await readToken(file);
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

const fromStdin = (): string => `${commandLine('token', 'inspect')} < FILE`;

async function readToken(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) {
    throw wrongUsage('There is no token on stdin.', {
      remedy: `Name a file with the token, or: ${fromStdin()}`,
    });
  }
  const text = await (file === undefined ? readAll(process.stdin) : readFile(file, 'utf8')).catch(
    (cause: unknown) => {
      throw failure(`Cannot read the token: ${(cause as Error).message}`, {
        setting: 'FILE',
        remedy: `Name a file with the token, or: ${fromStdin()}`,
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
