import { readFile } from 'node:fs/promises';
import { Argument, Option } from 'commander';
import { ServiceError } from '../../base/errors/catalogue.js';
import { ExitCode, failure } from '../../base/errors/operator.js';
import type { IdentityRecord } from '../../http/auth/identity-schemas.js';
import type { ById, DescribedCommand } from '../command.js';
import type { Context } from '../context.js';
import { withTenants, type OpenTenants } from '../open.js';
import { SilentExit } from '../ui.js';
import { readToken } from './token.js';

const platform = new Argument('<id>', 'Id of the platform');

export const identity: DescribedCommand = {
  name: 'identity',
  description: "Let a platform's users sign in with tokens of its own identity provider",
  commands: [
    {
      name: 'set',
      description: 'Set the identity provider of a platform, in place of the one it has',
      arguments: [platform],
      options: [
        new Option('--issuer <text>', 'iss of the tokens, to the letter').makeOptionMandatory(),
        new Option('--audience <text>', 'What they are issued for (aud)').makeOptionMandatory(),
        new Option('--jwks-url <url>', 'Where the public keys are'),
        new Option('--jwks <file>', 'In place of a URL: a file with the key set').conflicts(
          'jwksUrl',
        ),
        new Option('--user-claim <name>', 'Has the platform_user_id; default: sub'),
        new Option(
          '--create-users',
          'A first token makes the user whom the platform does not have',
        ),
        new Option('--allow <words>', 'All that they may, such as read,upload; default: all'),
      ],
      examples: [
        'platform identity set ID --issuer I --audience A --jwks-url URL',
        'platform identity set ID --issuer I --audience A --jwks keys.json',
      ],
      run: setIdentity,
    },
    {
      name: 'show',
      description: 'Show the identity provider of a platform',
      arguments: [platform],
      examples: ['platform identity show PLATFORM_ID'],
      run: (context, of: ById) =>
        withIdentity(context, of, (tenants, id) => tenants.identities.get(id)),
    },
    {
      name: 'remove',
      description: 'Refuse tokens of the identity provider at once, on every node',
      arguments: [platform],
      examples: ['platform identity remove PLATFORM_ID'],
      run: (context, of: ById) =>
        withIdentity(context, of, (tenants, id) => tenants.identities.remove(id)),
    },
    {
      name: 'test',
      description: 'Say step by step whether a token is accepted, or why it is refused',
      arguments: [new Argument('[token]', 'The token, or a file with it; stdin if omitted')],
      examples: ['platform identity test token.txt', 'platform identity test token.txt --json'],
      run: testToken,
    },
  ],
};

async function withIdentity(
  context: Context,
  { id }: ById,
  work: (tenants: OpenTenants, id: string) => Promise<IdentityRecord>,
): Promise<void> {
  const document = await withTenants(context, async (tenants) =>
    work(tenants, (await tenants.platforms.get(id)).id),
  );
  const { jwks, jwks_url: url } = document;
  const lines = [
    `issuer        ${document.issuer}`,
    `audience      ${document.audience}`,
    `keys          ${url ?? `${jwks?.keys.length ?? 0} given`}`,
    `user claim    ${document.user_claim}`,
    `create users  ${document.create_users ? 'yes' : 'no'}`,
    `allow         ${document.allow.join(',')}`,
    `changed       ${document.updated_at}`,
  ];
  context.ui.result({ document, text: lines.join('\n') });
}

interface Wanted extends ById {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string;
  readonly jwks?: string;
  readonly userClaim?: string;
  readonly createUsers?: boolean;
  readonly allow?: string;
}

async function setIdentity(context: Context, wanted: Wanted): Promise<void> {
  const { newIdentity } = await import('../../http/auth/identity-schemas.js');
  const { validate } = await import('../../http/request-fields.js');
  const fields = validate(newIdentity, {
    issuer: wanted.issuer,
    audience: wanted.audience,
    jwks_url: wanted.jwksUrl,
    jwks: wanted.jwks === undefined ? undefined : await readKeys(wanted.jwks),
    user_claim: wanted.userClaim,
    create_users: wanted.createUsers,
    allow: wanted.allow,
  });
  await withIdentity(context, wanted, ({ identities }, id) => identities.set(id, fields));
}

const readKeys = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw failure(`Cannot read the key set: ${(cause as Error).message}`, {
      setting: '--jwks',
      cause,
    });
  });

/** Checks a token as a request with it would, but makes no user. */
async function testToken(context: Context, { token: given }: { token?: string }): Promise<void> {
  const isToken = given !== undefined && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(given);
  const token = isToken ? given : await readToken(given, 'platform', 'identity', 'test');
  const steps: string[] = [];
  const refusal = await withTenants(context, async ({ foreignTokens, tokens }) => {
    try {
      const verified = await foreignTokens.explain(token, (step) => void steps.push(step));
      const state = verified ? await tokens.state(verified.claims) : 'valid';
      if (state !== 'valid') return new ServiceError(state);
      steps.push(
        verified
          ? `It may: ${verified.claims.allow?.join(', ')}`
          : 'The user is new: the first request with the token makes it',
      );
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  });
  const { code, message } = refusal ?? {};
  const document = { accepted: !refusal, steps, refusal: refusal ? { code, message } : null };
  const lines = steps.map((step) => `✓ ${step}`);
  lines.push(refusal ? `✗ ${message}` : 'The token is accepted.');
  context.ui.result({ document, text: lines.join('\n') });
  if (refusal) throw new SilentExit(ExitCode.failure);
}
