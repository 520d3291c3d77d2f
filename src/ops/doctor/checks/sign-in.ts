import { type OidcProvider, oidcProvider, reasonOf } from '../../../http/auth/oidc.js';
import { ok, problem, type Check, type Diagnosis } from '../check.js';
import type { DoctorContext } from '../context.js';
import { selectUnknownPlatforms } from '../doctor.sql.js';

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
