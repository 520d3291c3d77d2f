import { z } from 'zod';
import { operation, type Operation } from '../operation.js';
import type { Claims } from './claims.js';
import { createdNarrowToken, narrowToken, newNarrowToken } from './narrow-schemas.js';
import type { NarrowOwner, NarrowTokens } from './narrow-tokens.js';

/** The operations on the tokens of users, and on those of platforms. */
const kinds = {
  user: {
    base: '/api/v1/users/:user_id/tokens',
    scheme: ['User', 'Platform'],
    whose: 'the user',
    word: '',
    errors: ['user_not_found'],
  },
  platform: {
    base: '/api/v1/platforms/:platform_id/tokens',
    scheme: 'Platform',
    whose: 'the platform',
    word: 'Platform',
    errors: [],
  },
} as const;

type Path = { readonly user_id: string } | { readonly platform_id: string };

const ownerOf = (path: Path, { platformId, scope }: Claims): NarrowOwner => ({
  holder: {
    ...(platformId !== undefined && { platformId }),
    ...('user_id' in path && { userId: path.user_id }),
  },
  actor: scope,
});

const operationsOf = (kind: 'user' | 'platform', tokens: NarrowTokens): Operation[] => {
  const { base, scheme, whose, word, errors } = kinds[kind];
  const common = { scheme, allow: 'full', ext: true } as const;
  const ofOne = {
    ...common,
    path: `${base}/:token_id`,
    errors: [...errors, 'token_not_found'],
  } as const;
  return [
    operation(
      {
        ...common,
        id: `create${word}Token`,
        method: 'post',
        path: base,
        summary: `Make a narrow token of ${whose}, which can do no more than it says; shown once`,
        keyless: true,
        body: newNarrowToken(kind),
        result: createdNarrowToken,
        errors: [...errors, 'too_many_tokens'],
      },
      ({ path, caller, input }) => tokens.create(ownerOf(path, caller), input),
    ),
    operation(
      {
        ...common,
        id: `list${word}Tokens`,
        method: 'get',
        path: base,
        summary: `List the narrow tokens of ${whose} that have not ended, newest first`,
        result: z.array(narrowToken),
        errors,
      },
      ({ path, caller }) => tokens.list(ownerOf(path, caller)),
    ),
    operation(
      {
        ...ofOne,
        id: `get${word}Token`,
        method: 'get',
        summary: `Get one narrow token of ${whose}`,
        result: narrowToken,
      },
      ({ path, caller }) => tokens.get(ownerOf(path, caller), path.token_id),
    ),
    operation(
      {
        ...ofOne,
        id: `delete${word}Token`,
        method: 'delete',
        summary: `Revoke a narrow token of ${whose}, from the next request on`,
        result: narrowToken,
      },
      ({ path, caller }) => tokens.revoke(ownerOf(path, caller), path.token_id),
    ),
  ];
};

export const narrowTokenOperations = (tokens: NarrowTokens): Operation[] => [
  ...operationsOf('user', tokens),
  ...operationsOf('platform', tokens),
];
