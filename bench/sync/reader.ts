import { isDeepStrictEqual } from 'node:util';
import { withDeadline } from '../../src/deadline.js';
import type { CreatedUser } from '../../testkit/records.js';
import { Replica } from '../../testkit/replica-of-user.js';
import type { Field } from './field.js';
import { NodesClient } from './nodes-client.js';

const entriesAtOnce = 20;

export const userOf = ({
  user_id: id,
  platform_id: platformId,
  access_token: token,
}: CreatedUser) => ({
  ...{ id, platformId, token },
  images: `/api/v1/users/${id}/images`,
});

/** A client with a disk, which is stopped now and then in the middle of what it does. */
export class Reader {
  #disk: string | undefined;

  constructor(
    private readonly field: Field,
    private readonly owner: CreatedUser,
  ) {}

  /** Follows the feed for so many milliseconds; what it has not written to its disk then is lost. */
  async followFor(ms: number, signal: AbortSignal): Promise<void> {
    await withDeadline(signal, ms, (stop) => this.#follow(stop)).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const replica = await this.#resume(signal);
    while (!signal.aborted) {
      await replica.follow(entriesAtOnce);
      this.#disk = replica.save();
    }
  }

  /** Goes on with what is on the disk; without anything there, begins with a snapshot. */
  async #resume(signal?: AbortSignal): Promise<Replica> {
    this.#disk ??= (await this.snapshot(signal)).save();
    const client = new NodesClient(this.field.addresses, signal);
    return Replica.saved({ client }, userOf(this.owner), this.#disk);
  }

  /** What the server has now. */
  snapshot(signal?: AbortSignal): Promise<Replica> {
    const nodes = new NodesClient(this.field.addresses, signal);
    return nodes.untilRead('snapshot', (client) => Replica.of({ client }, userOf(this.owner)));
  }

  /** Reads everything that is left. */
  async catchUp(): Promise<Replica> {
    const replica = await this.#resume();
    await replica.catchUp();
    this.#disk = replica.save();
    return replica;
  }

  /**
   * Whether the replica is equal to what the server has at the same number. Nobody writes meanwhile;
   * what had begun and was not answered may still be committed.
   */
  async isEqual(): Promise<boolean> {
    for (;;) {
      const replica = await this.catchUp();
      const there = await this.snapshot();
      if (there.last === replica.last) return isDeepStrictEqual(replica.state(), there.state());
    }
  }
}
