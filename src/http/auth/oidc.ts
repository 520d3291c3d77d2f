import { readFile } from 'node:fs/promises';
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import type { Config } from '../../base/config/options.js';
import { printable } from '../../base/text.js';
import { hourMs } from '../../base/units.js';
import {
  claimsOf,
  counted,
  type Claims,
  nameIn,
  personOf,
  type ProviderSettings,
  providerSettings,
} from './oidc-settings.js';
import type { Person } from './sign-in.js';

/** Loaded when it is needed: most installations have no provider. */
const library = () => import('openid-client');

/** Below `public_url`: where the provider sends people back to. */
export const callbackPath = '/console/signed-in';

/** The provider that the settings name, if they do. @throws OperatorError 78. */
export function oidcProvider(config: Config): OidcProvider | undefined {
  const settings = providerSettings(config);
  return settings && new OidcProvider(settings);
}

/** What a browser has to bring back from the provider, and what is checked with it. Secret. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** Who a provider says has signed in. */
export interface SignedIn {
  readonly name: string;
  /** What they may sign in to here; undefined for nothing. */
  readonly person: Person | undefined;
}

/** How long the provider may take for each answer, in seconds. */
const usualPatience = 10;
/** Documents of providers have a few KB. */
const maxBytes = 1024 * 1024;
/** How long what is known of the provider is used. */
const keptMs = hourMs;

/** The OpenID Connect provider at which people sign in to the console. Nothing is asked before somebody does. */
export class OidcProvider {
  #known: { readonly client: Promise<Configuration>; readonly until: number } | undefined;

  /** Names of the claims that decide who may sign in. */
  readonly claims: readonly string[];

  constructor(
    readonly settings: ProviderSettings,
    private readonly patience = usualPatience,
  ) {
    this.claims = claimsOf(settings);
  }

  /** Reads the discovery document. @throws whatever is wrong with it; `reasonOf` says what. */
  async discover(): Promise<ServerMetadata> {
    return (await this.#discover()).serverMetadata();
  }

  /** Where a browser signs in, and what it has to bring back from there. */
  async begin(): Promise<{ readonly location: string; readonly flow: Flow }> {
    const oidc = await library();
    const client = await this.#client();
    const flow = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    // Some providers have a scope for each claim that is not of everybody.
    const offered = client.serverMetadata().scopes_supported ?? [];
    const wanted = this.claims.filter((claim) => offered.includes(claim));
    const location = oidc.buildAuthorizationUrl(client, {
      redirect_uri: this.settings.publicUrl + callbackPath,
      scope: [...new Set(['openid', 'profile', 'email', ...wanted])].join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href, flow };
  }

  /** @param query with which the provider sent the browser back. */
  async finish(query: string, { state, nonce, verifier }: Flow): Promise<SignedIn> {
    const oidc = await library();
    const client = await this.#client();
    try {
      const url = new URL(`${this.settings.publicUrl}${callbackPath}?${query}`);
      const tokens = await oidc.authorizationCodeGrant(client, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const told: Claims = { ...tokens.claims() };
      const isAsked = [...this.claims, 'name'].some(
        (claim) => !Object.hasOwn(counted(told), claim),
      );
      const more: Claims =
        isAsked && client.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(client, tokens.access_token, String(told.sub))
          : {};
      const name = nameIn({ ...more, ...told });
      const claims = { ...counted(more), ...counted(told) };
      return { name, person: personOf(name, claims, this.settings) };
    } catch (error) {
      this.#known = undefined; // its keys or addresses may have changed
      throw error;
    }
  }

  /**
   * Where a browser signs out at the provider, which has its own page for that (OpenID Connect RP-Initiated
   * Logout 1.0); undefined if it has none. Nothing has to be registered there for it.
   */
  async exit(): Promise<string | undefined> {
    const client = await this.#client();
    if (client.serverMetadata().end_session_endpoint === undefined) return undefined;
    return (await library()).buildEndSessionUrl(client, {}).href;
  }

  #client(): Promise<Configuration> {
    if (this.#known && performance.now() < this.#known.until) return this.#known.client;
    const client = this.#discover();
    const known = { client, until: performance.now() + keptMs };
    this.#known = known;
    client.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return client;
  }

  async #discover(): Promise<Configuration> {
    const oidc = await library();
    const { issuer, clientId, secretFile } = this.settings;
    const authentication =
      secretFile === undefined
        ? oidc.None()
        : bySecret(oidc, (await readFile(secretFile, 'utf8')).trim());
    return oidc.discovery(issuer, clientId, undefined, authentication, {
      [oidc.customFetch]: boundedFetch,
      timeout: this.patience,
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
    });
  }
}

/** In the way that the provider takes; in the header unless it says otherwise (OpenID Connect Discovery 1.0). */
function bySecret(oidc: Awaited<ReturnType<typeof library>>, secret: string): ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const method = methods.includes('client_secret_post')
      ? oidc.ClientSecretPost(secret)
      : oidc.ClientSecretBasic(secret);
    method(server, ...rest);
  };
}

/** Whoever answers in place of the provider takes little memory. */
const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        controller.error(new TypeError(`an answer of more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound), response);
};

/** What the provider says about a sign-in that it refuses (RFC 6749, sections 4.1.2.1 and 5.2). */
export function refusalBy(error: unknown): string | undefined {
  const { error: code, error_description: more } = error as Partial<Record<string, unknown>>;
  return typeof code === 'string' ? [code, more].filter(Boolean).join(': ') : undefined;
}

const maxReason = 500;

/** Why the provider could not be asked, or refused, in words for whoever runs the service. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 5; at = at.cause) {
    const { message, code } = at as Error & { readonly code?: unknown };
    parts.push(message || String(code));
    const { error_description: description } = at as { readonly error_description?: unknown };
    if (typeof description === 'string') parts.push(description);
    const { body } = (at.cause ?? {}) as { readonly body?: { readonly issuer?: unknown } };
    if (typeof body?.issuer === 'string') parts.push(`it calls itself ${body.issuer}`);
  }
  return printable([...new Set(parts)].join(': ')).slice(0, maxReason);
}
