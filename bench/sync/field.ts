import { setTimeout as delay } from 'node:timers/promises';
import { Installation } from '../../testkit/installation.js';
import { Random } from '../../testkit/random.js';
import { Relay } from '../../testkit/relay.js';
import type { Scope } from '../../testkit/scope.js';

/** Bytes of a few uploads with their responses: about every fifth is cut off. */
const meanLifetime = 4 * 4_500;
/** Every eighth connection carries more; otherwise, no snapshot or large folder tree would get through. */
const longLived = 8;
const longLifetime = 8 * 1024 * 1024;

/** Interval of checks for the next fault, in milliseconds. */
const pollMs = 50;

/** Three nodes on one PostgreSQL and S3, behind unreliable networks. */
export class Field {
  readonly #random = new Random(22);
  readonly #relays = new Map<string, Promise<Relay>>();

  private constructor(readonly parts: Installation) {}

  static async start(scope: Scope): Promise<Field> {
    return new Field(await Installation.start(scope));
  }

  readonly baseUrls = async (): Promise<string[]> => {
    const relays = await Promise.all(this.parts.urls.map((url) => this.#relay(url)));
    return relays.map(({ url }) => url);
  };

  async cuts(): Promise<number> {
    const relays = await Promise.all(this.#relays.values());
    await Promise.all(relays.map((relay) => relay.cut()));
    return relays.reduce((sum, relay) => sum + relay.cuts, 0);
  }

  /** A restarted node may have another URL. */
  #relay(url: string): Promise<Relay> {
    const lifetime = (): number =>
      this.#random.below(longLived) === 0 ? longLifetime : this.#random.below(2 * meanLifetime);
    const relay = this.#relays.get(url) ?? Relay.to(url, lifetime);
    this.#relays.set(url, relay);
    return relay;
  }

  /** Injects a fault after every `every` units of progress until the work ends. @returns their number. */
  async injectFaultsDuring(
    work: Promise<unknown>,
    every: number,
    progress: () => number,
    report: (fault: string) => void,
  ): Promise<number> {
    let working = true;
    const ended = work.finally(() => (working = false)).catch(() => undefined);
    const faultSteps = this.#faultSteps();
    for (let faults = 0; ; faults += 1) {
      const next = progress() + every;
      while (working && progress() < next) await Promise.race([ended, delay(pollMs)]);
      if (!working) return faults;
      const [what, fault] = faultSteps[faults % faultSteps.length] as (typeof faultSteps)[number];
      report(what);
      await fault();
    }
  }

  #faultSteps(): readonly (readonly [string, () => Promise<unknown>])[] {
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
