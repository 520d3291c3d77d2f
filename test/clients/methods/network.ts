import { createImgstoreClient } from '../../../clients/typescript/src/index.js';
import { done } from '../../../testkit/expect.js';
import type { Image, Page } from '../../../testkit/records.js';
import { Relay, type Lifetime } from '../../../testkit/relay.js';
import type { Scope } from '../../../testkit/scope.js';
import { ownService, type TestService } from '../../../testkit/service.js';
import { picture } from '../../../testkit/world.js';
import type { Member } from '../../../testkit/world.js';

/** A small picture that differs from all others of this run. */
export const newFile = async (): Promise<Blob> => new Blob([await picture()]);

/** A service behind a simulated network. */
export class Network {
  #lifetime: Lifetime = () => Infinity;

  private constructor(
    readonly service: TestService,
    readonly relay: Relay,
  ) {}

  static async begin(scope: Scope): Promise<Network> {
    const service = await ownService(scope);
    const relay = await Relay.to(service.client.base, () => network.#lifetime());
    scope.after(() => relay.cut());
    const network = new Network(service, relay);
    return network;
  }

  /** Breaks connections until `work` is done. @returns its result. */
  async breaking<T>(lifetime: Lifetime, work: () => Promise<T>): Promise<T> {
    const before = this.#lifetime;
    await this.relay.cut();
    this.#lifetime = lifetime;
    await this.relay.reconnect();
    try {
      return await work();
    } finally {
      await this.relay.cut();
      this.#lifetime = before;
      await this.relay.reconnect();
    }
  }

  /** A client of a user or platform, which counts its requests. */
  clientOf({ token }: Pick<Member, 'token'>, attempts = 20, scheme: 'User' | 'Platform' = 'User') {
    const baseUrl = this.relay.url;
    const retry = { attempts, pauseMs: 10 };
    const imgstore = createImgstoreClient({ baseUrl, scheme, token, retry });
    const count = { requests: 0 };
    imgstore.use({ onRequest: () => void (count.requests += 1) });
    return { imgstore, count };
  }

  /** The state of the server, read without the network. */
  async storedBy({ images, token }: Member): Promise<readonly Image[]> {
    const as = ['User', token] as const;
    return done(await this.service.client.get<Page<Image>>(images, { as })).items;
  }
}
