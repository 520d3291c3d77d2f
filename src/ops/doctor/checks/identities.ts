import { forEachLimited, withDeadline } from '../../../base/concurrency.js';
import { counted, secondMs } from '../../../base/units.js';
import { selectKeyUrls } from '../../../http/auth/identities.js';
import { readKeySet } from '../../../http/auth/key-sets.js';
import { type OidcProvider, oidcProvider, reasonOf } from '../../../http/auth/oidc.js';
import { resolveName, Targets } from '../../../http/outgoing.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import type { DoctorContext } from '../context.js';
import { selectUnknownPlatforms } from '../doctor.sql.js';

/** Shorter than the limit of a check. */
const limitMs = 20 * secondMs;
const atOnce = 16;
/** Key sets named in a diagnosis. */
const maxNamed = 5;

export const identities: Check = {
  name: 'identities',
  title: "The key sets of platforms' identity providers can be read",
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const sources = await selectKeyUrls(await context.db());
    const targets = new Targets('identity', await context.config());
    const outgoing = { targets, resolve: resolveName };
    const faults: string[] = [];
    await withDeadline(context.interrupted, limitMs, (until) =>
      forEachLimited(sources, atOnce, async ({ platformId, url }) => {
        await readKeySet(url, outgoing, until).catch((error: unknown) => {
          faults.push(`${url} of the platform ${platformId}: ${(error as Error).message}`);
        });
      }),
    );
    if (faults.length === 0) return ok(`${counted(sources.length, 'key set')} read.`);
    const named = faults.slice(0, maxNamed).join('; ');
    return warning(
      `${counted(faults.length, 'key set')} of ${sources.length} cannot be read: ${named}${faults.length > maxNamed ? '; …' : ''}. Tokens of these platforms are refused from 70 minutes after the last reading on.`,
      `Tell the platform, or correct it: ${context.command('platform', 'identity', 'show', 'ID')}; private hosts need the setting identity.allow_networks.`,
    );
  },
};

export const signIn: Check = {
  name: 'sign-in',
  title: 'The provider at which people sign in answers, and fits',
  category: 'service',
  run: async (context) => {
    const provider = oidcProvider(await context.config());
    if (!provider) return ok('There is none; people sign in with links and tokens.');
    return (await unfit(context, provider)) ?? unknownPlatforms(context, provider);
  },
};

/** What is wrong with the provider's discovery document, if anything is. */
async function unfit(
  context: DoctorContext,
  provider: OidcProvider,
): Promise<Diagnosis | undefined> {
  const { href } = provider.settings.issuer;
  const remedy = `Compare oidc.issuer with "issuer" in the provider's .well-known/openid-configuration, to the last slash: ${context.command('config', 'set', 'oidc.issuer', 'URL')}; certificates of your own: NODE_EXTRA_CA_CERTS`;
  const found = await provider.discover().catch((error: unknown) => reasonOf(error));
  if (typeof found === 'string') return problem(`${href} cannot be used: ${found}.`, remedy);
  const { code_challenge_methods_supported: challenges, response_types_supported: types } = found;
  const lacks = [
    challenges && !challenges.includes('S256') && 'PKCE with S256',
    types && !types.includes('code') && 'the authorization code flow',
  ].filter((word) => typeof word === 'string');
  if (lacks.length === 0) return undefined;
  return problem(`${href} does not offer ${lacks.join(' and ')}.`, 'Switch it on at the provider.');
}

async function unknownPlatforms(
  context: DoctorContext,
  { settings: { issuer, platforms } }: OidcProvider,
): Promise<Diagnosis> {
  const ids = platforms.map(({ platformId }) => platformId);
  const unknown = await selectUnknownPlatforms(await context.db(), ids);
  if (unknown.length > 0) {
    return problem(
      `oidc.platforms names platforms that do not exist: ${unknown.join(', ')}.`,
      `Correct their ids: ${context.command('platform', 'list')}`,
    );
  }
  return ok(`${issuer.href} answers; its client and secret are tried when somebody signs in.`);
}
