import pg from 'pg';
import { guarded, ignore } from '../base/guarded.js';

/**
 * A pool that discards its idle connections when one of them turns out to be dead. The server has
 * most likely restarted, and each remaining connection would fail another request.
 */
export class RenewingPool extends pg.Pool {
  #renewing = false;

  constructor(config?: pg.PoolConfig) {
    super(config);
    // A dead connection fails the request that uses it.
    const renew = guarded(ignore, () => this.renew());
    const watch = guarded(ignore, (client: pg.PoolClient) => client.on('error', renew));
    this.on('connect', watch);
  }

  /** Replaces all idle connections. */
  protected async renew(): Promise<void> {
    if (this.#renewing || this.ending) return;
    this.#renewing = true;
    // The pool hands out idle connections before it opens new ones, so these are all of them.
    const idle = Array.from({ length: this.idleCount }, async () =>
      (await super.connect()).release(true),
    );
    await Promise.allSettled(idle);
    this.#renewing = false;
  }
}
