import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { secondMs } from '../../src/base/units.js';
import type { Scope } from '../../testkit/scope.js';

const pauseMs = 50;

/** Knows the longest time without something that otherwise goes on, in milliseconds. */
export class Gaps {
  #last = performance.now();
  #longest = 0;

  note(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  /** The longest since this was asked last. */
  take(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }
}

/** Commits to all servers directly, on sessions of its own: notes when the database takes writes. */
export class Probes {
  readonly gaps = new Gaps();
  #stopped = false;

  static start(scope: Scope, urls: readonly string[]): Probes {
    const probes = new Probes();
    const all = Promise.all(urls.map((url) => probes.#watch(url)));
    scope.after(async () => {
      probes.#stopped = true;
      await all;
    });
    return probes;
  }

  async #watch(connectionString: string): Promise<void> {
    while (!this.#stopped) {
      const timeouts = { connectionTimeoutMillis: secondMs, query_timeout: secondMs };
      const client = new pg.Client({ connectionString, ...timeouts });
      client.on('error', () => undefined); // what awaits it fails as well
      await client
        .connect()
        .then(() => this.#commit(client))
        .catch(() => delay(pauseMs));
      void client.end().catch(() => undefined);
    }
  }

  /** Until the session fails. */
  async #commit(client: pg.Client): Promise<void> {
    while (!this.#stopped) {
      try {
        await client.query('INSERT INTO probes VALUES (now())');
        this.gaps.note();
      } catch (error) {
        const isReadOnly = (error as { code?: unknown }).code === '25006';
        if (!isReadOnly) throw error;
      }
      await delay(pauseMs);
    }
  }
}
