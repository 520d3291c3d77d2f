import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { Scope } from './scope.js';

/** What a provider says of a person. */
export type PersonClaims = Readonly<Record<string, unknown>>;

interface ProviderOptions {
  /** Where it sends people back to. */
  readonly redirectUri: string;
  /** By their `sub`. */
  readonly people: Readonly<Record<string, PersonClaims>>;
  readonly settings?: Partial<Configuration>;
}

export const clientId = 'imgstore';
export const clientSecret = 'a secret of the client, as long as it takes';

/** A certified OpenID provider on this machine, at which whoever `person` names signs in at once. */
export class OfficeProvider {
  /** Who signs in next. */
  person = '';
  /** Answers in its place, if set. */
  instead: RequestListener | undefined;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  #answer: RequestListener = () => undefined;

  private constructor(readonly issuer: string) {}

  static async start(scope: Scope, options: ProviderOptions): Promise<OfficeProvider> {
    const server = createServer((request, response) => office.#handle(request, response));
    server.keepAliveTimeout = 0; // of a busy machine, connections rest for long
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const office = new OfficeProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    scope.after(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    await office.#begin(options);
    return office;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push((request.url ?? '').split('?')[0] ?? '');
    (this.instead ?? this.#answer)(request, response);
  }

  async #begin({ redirectUri, people, settings }: ProviderOptions): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'office', use: 'sig' };
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [key] as never },
      cookies: { keys: ['only of this test'] },
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      scopes: ['openid', 'profile', 'email', 'groups'],
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...people[sub] }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId,
          ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
        });
        grant.addOIDCScope('openid profile email groups');
        await grant.save();
        return grant;
      },
      ...settings,
    });
    const callback = provider.callback();
    this.#answer = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
      const result =
        this.person === ''
          ? { error: 'access_denied', error_description: 'not <b>today</b>' }
          : { login: { accountId: this.person } };
      provider.interactionFinished(request, response, result).catch(() => response.destroy());
    };
  }
}
