import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';
import type { Scope } from './scope.js';

const audience = 'imgstore';

const newKey = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey)),
  kid,
  use: 'sig',
});

/** A certified OpenID provider on this machine, whose keys can be rotated. */
export class IdentityProvider {
  #provider: Provider | undefined;
  #keys: JWK[] = [];
  #made = 0;
  #handle: RequestListener = (_request, response) => response.writeHead(503).end();

  private constructor(readonly issuer: string) {}

  static async start(scope: Scope): Promise<IdentityProvider> {
    const server = createServer((request, response) => provider.#handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const provider = new IdentityProvider(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    scope.after(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    await provider.rotate();
    return provider;
  }

  get jwksUrl(): string {
    return `${this.issuer}/jwks`;
  }

  /** Signs with a new key from now on. @param keeps how many of those before are still published. */
  async rotate(keeps = 1): Promise<void> {
    this.#made += 1;
    this.#keys = [await newKey(`key ${this.#made}`), ...this.#keys.slice(0, keeps)];
    this.#provider = new Provider(this.issuer, {
      clients: [
        { client_id: 'app', client_secret: 'secret', redirect_uris: ['https://a.example/'] },
      ],
      jwks: { keys: this.#keys },
      cookies: { keys: ['only of this test'] },
      features: { devInteractions: { enabled: false } },
    });
    const handle = this.#provider.callback();
    this.#handle = (request, response) => void handle(request, response);
  }

  /** An access token (RFC 9068) for an account. */
  async token(accountId: string): Promise<string> {
    const provider = this.#provider;
    const client = await provider?.Client.find('app');
    if (!provider || !client) throw new Error('the provider has not begun');
    const resourceServer = new provider.ResourceServer(audience, {
      audience,
      scope: '',
      accessTokenFormat: 'jwt',
      accessTokenTTL: 300,
      jwt: { sign: { alg: 'RS256' } },
    });
    const token = new provider.AccessToken({
      accountId,
      client,
      resourceServer,
      expiresIn: 300,
      grantId: 'none',
      gty: 'authorization_code',
    });
    return token.save();
  }
}
