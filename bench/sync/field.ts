import { setTimeout as delay } from 'node:timers/promises';
import { Installation } from '../../testkit/installation.js';
import { Random } from '../../testkit/random.js';
import { Relay } from '../../testkit/relay.js';
import type { Scope } from '../../testkit/scope.js';

/** Bytes of a few uploads with their answers: about every fifth breaks somewhere. */
const meanLifetime = 4 * 4_500;
/** Every eighth connection carries more, or no snapshot and no large folder tree would ever get through. */
const longLived = 8;
const longLifetime = 8 * 1024 * 1024;

/** How often is looked whether it is time for the next blow, in milliseconds. */
const lookMs = 50;

interface Striking {
  readonly every: number;
  readonly progress: () => number;
  readonly report: (blow: string) => void;
}

/** Three nodes on one PostgreSQL and S3, behind networks that break. */
export class Field {
  readonly #random = new Random(22);
  readonly #relays = new Map<string, Promise<Relay>>();

  private constructor(readonly parts: Installation) {}

  static async start(scope: Scope): Promise<Field> {
    return new Field(await Installation.start(scope));
  }

  readonly addresses = async (): Promise<string[]> => {
    const relays = await Promise.all(this.parts.urls.map((url) => this.#relay(url)));
    return relays.map(({ url }) => url);
  };

  async cuts(): Promise<number> {
    const relays = await Promise.all(this.#relays.values());
    await Promise.all(relays.map((relay) => relay.cut()));
    return relays.reduce((sum, relay) => sum + relay.cuts, 0);
  }

  /** A node that was started again may have another address. */
  #relay(address: string): Promise<Relay> {
    const lifetime = (): number =>
      this.#random.below(longLived) === 0 ? longLifetime : this.#random.below(2 * meanLifetime);
    const relay = this.#relays.get(address) ?? Relay.to(address, lifetime);
    this.#relays.set(address, relay);
    return relay;
  }

  /** Does the next bad thing whenever work has come so much further, until it ends. @returns how many. */
  async strikeWhile(
    work: Promise<unknown>,
    { every, progress, report }: Striking,
  ): Promise<number> {
    let working = true;
    const ended = work.finally(() => (working = false)).catch(() => undefined);
    const blows = this.#blows();
    for (let struck = 0; ; struck += 1) {
      const next = progress() + every;
      while (working && progress() < next) await Promise.race([ended, delay(lookMs)]);
      if (!working) return struck;
      const [what, blow] = blows[struck % blows.length] as (typeof blows)[number];
      report(what);
      await blow();
    }
  }

  #blows(): readonly (readonly [string, () => Promise<unknown>])[] {
    const { parts } = this;
    return [
      ['a node is killed', () => parts.killNode(1)],
      ['PostgreSQL is killed and restarted', () => parts.crashDatabase()],
      ['a gateway is killed', () => parts.ceph.kill('client.rgw0')],
      ['the node comes back', () => parts.startNode(1)],
      ['another node is killed', () => parts.killNode(2)],
      ['the gateway comes back', async () => parts.ceph.run('client.rgw0')],
      ['PostgreSQL is killed and restarted', () => parts.crashDatabase()],
      ['that node comes back', () => parts.startNode(2)],
      ['the other gateway is killed', () => parts.ceph.kill('client.rgw1')],
      ['the first node is killed', () => parts.killNode(0)],
      ['the other gateway comes back', async () => parts.ceph.run('client.rgw1')],
      ['the first node comes back', () => parts.startNode(0)],
    ];
  }
}
