import { isDeepStrictEqual } from 'node:util';
import { withDeadline } from '../../src/base/concurrency.js';
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
  id,
  platformId,
  token,
  images: `/api/v1/users/${id}/images`,
});

/** A client with persistent state, which is stopped at random points. */
export class Reader {
  #disk: string | undefined;

  constructor(
    private readonly field: Field,
    private readonly owner: CreatedUser,
  ) {}

  /** Follows the feed for `ms` milliseconds; unsaved state is then lost. */
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

  /** Resumes from the saved state; without any, begins with a snapshot. */
  async #resume(signal?: AbortSignal): Promise<Replica> {
    this.#disk ??= (await this.snapshot(signal)).save();
    const client = new NodesClient(this.field.baseUrls, signal);
    return Replica.saved({ client }, userOf(this.owner), this.#disk);
  }

  /** The current state of the server. */
  snapshot(signal?: AbortSignal): Promise<Replica> {
    const nodes = new NodesClient(this.field.baseUrls, signal);
    return nodes.untilRead('snapshot', (client) => Replica.of({ client }, userOf(this.owner)));
  }

  /** Reads all remaining entries. */
  async catchUp(): Promise<Replica> {
    const replica = await this.#resume();
    await replica.catchUp();
    this.#disk = replica.save();
    return replica;
  }

  /**
   * Whether the replica equals the server's state at the same number. There are no writers meanwhile, but
   * earlier requests without a response may still be committed.
   */
  async isEqual(): Promise<boolean> {
    for (;;) {
      const replica = await this.catchUp();
      const there = await this.snapshot();
      if (there.last === replica.last) return isDeepStrictEqual(replica.state(), there.state());
    }
  }
}
