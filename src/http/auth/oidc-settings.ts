import { type Config, type OptionKey, variableOf } from '../../base/config/options.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { printable } from '../../base/text.js';
import type { Person } from './sign-in.js';

// What the settings say about a provider, and what the claims of a person mean by them.

/** A value of a claim, or one in its list. */
interface Rule {
  readonly claim: string;
  readonly value: string;
}

/** What the settings say about the provider. */
export interface ProviderSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly secretFile: string | undefined;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly admins: readonly Rule[];
  readonly platforms: readonly (Rule & { readonly platformId: string })[];
}

function ruleOf(text: string): Rule {
  const at = text.indexOf('=');
  return { claim: text.slice(0, at), value: text.slice(at + 1) };
}

function platformRuleOf(text: string): Rule & { readonly platformId: string } {
  const at = text.lastIndexOf(':');
  return { ...ruleOf(text.slice(0, at)), platformId: text.slice(at + 1).toLowerCase() };
}

const given = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined;

/**
 * @returns undefined unless the settings name a provider.
 * @throws OperatorError 78 that names every setting that is missing.
 */
export function providerSettings(config: Config): ProviderSettings | undefined {
  const {
    'oidc.issuer': issuer,
    'oidc.client_id': clientId,
    'oidc.client_secret_file': secretFile,
    'oidc.admins': admins,
    'oidc.platforms': platforms,
    public_url: publicUrl,
  } = config;
  if (![issuer, clientId, secretFile, admins, platforms].some(given)) return undefined;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) {
    const required: OptionKey[] = ['oidc.issuer', 'oidc.client_id', 'public_url'];
    throw lacking(required.filter((key) => !given(config[key])));
  }
  if (admins.length + platforms.length === 0) throw lacking(['oidc.admins']);
  return {
    issuer: new URL(issuer),
    clientId,
    secretFile,
    publicUrl: publicUrl.replace(/\/$/, ''),
    admins: admins.map(ruleOf),
    platforms: platforms.map(platformRuleOf),
  };
}

const lacking = (missing: readonly OptionKey[]) =>
  badConfiguration(`The sign-in at an OpenID Connect provider is missing ${missing.join(', ')}.`, {
    setting: missing.join(', '),
    remedy: `Set ${missing.map((key) => `${key} in config.yaml or ${variableOf(key)}`).join(', ')}; docs/sign-in.md describes each provider.`,
  });

export type Claims = Readonly<Record<string, unknown>>;

/** Names of the claims that decide who may sign in. */
export const claimsOf = ({ admins, platforms }: ProviderSettings): string[] => [
  ...new Set([...admins, ...platforms].map(({ claim }) => claim)),
];

/** Claims without an e-mail address that the provider has not verified: anybody may claim one. */
export function counted({ email, ...claims }: Claims): Claims {
  return claims.email_verified === true ? { ...claims, email } : claims;
}

function fits({ claim, value }: Rule, claims: Claims): boolean {
  const told = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return (Array.isArray(told) ? told : [told]).some(
    (one) => ['string', 'number', 'boolean'].includes(typeof one) && String(one) === value,
  );
}

/** What somebody may sign in to, administrators first; undefined for nothing. */
export function personOf(
  name: string,
  claims: Claims,
  { admins, platforms }: ProviderSettings,
): Person | undefined {
  if (admins.some((rule) => fits(rule, claims))) return { name, platformIds: null };
  const theirs = platforms.filter((rule) => fits(rule, claims));
  const platformIds = [...new Set(theirs.map(({ platformId }) => platformId))];
  return platformIds.length > 0 ? { name, platformIds } : undefined;
}

const maxName = 200;

/** What audit and lists call a person. */
export function nameIn({ name, preferred_username: username, email, sub }: Claims): string {
  const found = [name, username, email, sub].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  return printable((found ?? '').trim().normalize('NFC')).slice(0, maxName);
}
