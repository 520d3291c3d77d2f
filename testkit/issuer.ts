import assert from 'node:assert/strict';
import { KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Client } from './client.js';
import { done } from './expect.js';
import type { Scope } from './scope.js';
import type { Tenant } from './world.js';

/** Allows key sets on this machine. */
export const loopbackIdentities = {
  'identity.allow_http': 'true',
  'identity.allow_networks': '127.0.0.0/8',
} as const;

export const seconds = (): number => Math.floor(Date.now() / 1000);

type Claims = Readonly<Record<string, unknown>>;

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

interface IssuerOptions {
  readonly alg?: string;
  readonly kid?: string;
}

/** Who signs tokens with a key of its own. */
export class Issuer {
  private constructor(
    readonly name: string,
    readonly key: CryptoKey,
    /** The public key. */
    readonly jwk: JWK,
    readonly alg: string,
  ) {}

  static async of(
    name: string,
    { alg = 'RS256', kid = 'k1' }: IssuerOptions = {},
  ): Promise<Issuer> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    return new Issuer(name, privateKey, { ...(await exportJWK(publicKey)), kid }, alg);
  }

  /** Its key set, as text. */
  get jwks(): string {
    return JSON.stringify({ keys: [this.jwk] });
  }

  /** @param claims in place of those of a good token; undefined leaves one out. */
  sign(sub: string, claims: Claims = {}): Promise<string> {
    const { alg, jwk } = this;
    return new SignJWT(this.#claims(sub, claims))
      .setProtectedHeader({ alg, kid: jwk.kid ?? '' })
      .sign(this.key);
  }

  /**
   * A token that no library would make, with a good signature (RS256) unless another one is made.
   * @param header in place of a good one; undefined leaves a parameter out.
   */
  forge(
    header: Claims,
    claims: Claims = {},
    signature = (input: string): Buffer =>
      sign('sha256', Buffer.from(input), KeyObject.from(this.key)),
  ): string {
    const parts = [{ alg: 'RS256', kid: this.jwk.kid, ...header }, this.#claims('forged', claims)];
    const input = parts.map((part) => encoded(JSON.stringify(part))).join('.');
    return `${input}.${signature(input).toString('base64url')}`;
  }

  #claims(sub: string, claims: Claims): Claims {
    const now = seconds();
    return { iss: this.name, aud: 'imgstore', sub, iat: now, exp: now + 300, ...claims };
  }

  /** Makes it the identity of a platform. */
  async identifies(
    client: Pick<Client, 'put'>,
    { id, token }: Pick<Tenant, 'id' | 'token'>,
    form: Record<string, string> = {},
  ): Promise<void> {
    const path = `/api/v1/platforms/${id}/identity`;
    const fields = { issuer: this.name, audience: 'imgstore', jwks: this.jwks, ...form };
    done(await client.put(path, { as: ['Platform', token], form: fields }));
  }
}

/** A host of key sets on this machine. */
export class KeyHost {
  asked = 0;
  #answer: (response: ServerResponse) => unknown = (response) => response.writeHead(404).end();
  readonly #server = createServer((_request, response) => {
    this.asked += 1;
    this.#answer(response);
  });

  static async start(scope: Scope): Promise<KeyHost> {
    const host = new KeyHost();
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    scope.after(() => host.stop());
    return host;
  }

  get url(): string {
    const address = this.#server.address() as AddressInfo | null;
    assert.ok(address);
    return `http://127.0.0.1:${address.port}/keys`;
  }

  serve(...issuers: readonly Pick<Issuer, 'jwk'>[]): void {
    const text = JSON.stringify({ keys: issuers.map(({ jwk }) => jwk) });
    this.answer((response) => response.setHeader('content-type', 'application/json').end(text));
  }

  answer(answer: (response: ServerResponse) => unknown): void {
    this.#answer = answer;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
