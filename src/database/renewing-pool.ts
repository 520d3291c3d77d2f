import pg from 'pg';
import { guarded } from '../guard.js';

/**
 * A pool that gives up its idle connections when one of them turns out to be dead. The server has
 * most likely gone and come back under all of them, and each would fail one more request.
 */
export class RenewingPool extends pg.Pool {
  #renewing = false;

  constructor(config?: pg.PoolConfig) {
    super(config);
    const ignore = (): void => undefined; // what is dead fails the request that meets it
    const renew = guarded(ignore, () => this.#renew());
    const watch = guarded(ignore, (client: pg.PoolClient) => client.on('error', renew));
    this.on('connect', watch);
  }

  async #renew(): Promise<void> {
    if (this.#renewing || this.ending) return;
    this.#renewing = true;
    // The pool hands idle connections out before it makes new ones: these are all of them.
    const idle = Array.from({ length: this.idleCount }, async () =>
      (await super.connect()).release(true),
    );
    await Promise.allSettled(idle);
    this.#renewing = false;
  }
}
