import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { secondMs } from '../../src/base/units.js';
import type { Scope } from '../../testkit/scope.js';

const pauseMs = 50;

/** A time without something that otherwise goes on; on the `performance` clock. */
export interface Gap {
  readonly began: number;
  readonly ended: number;
}

export const lengthOf = ({ began, ended }: Gap): number => ended - began;

/** Knows the longest gap of something that goes on. */
export class Gaps {
  #last = performance.now();
  #longest: Gap = { began: 0, ended: 0 };

  note(): void {
    const gap = { began: this.#last, ended: performance.now() };
    if (lengthOf(gap) > lengthOf(this.#longest)) this.#longest = gap;
    this.#last = gap.ended;
  }

  /** The longest since this was asked last. */
  take(): Gap {
    const longest = this.#longest;
    this.#longest = { began: 0, ended: 0 };
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

/** When a node's `/readyz` changed, and to what. */
interface Change {
  readonly at: number;
  readonly ready: boolean;
}

/** Asks nodes whether they are ready. */
export class Readiness {
  readonly #changes: Change[][];
  #stopped = false;

  private constructor(urls: readonly string[]) {
    this.#changes = urls.map(() => [{ at: 0, ready: true }]);
  }

  static start(scope: Scope, urls: readonly string[]): Readiness {
    const readiness = new Readiness(urls);
    const all = Promise.all(urls.map((url, n) => readiness.#watch(url, readiness.#changes[n]!)));
    scope.after(async () => {
      readiness.#stopped = true;
      await all;
    });
    return readiness;
  }

  get isReady(): boolean {
    return this.#changes.every((changes) => changes.at(-1)?.ready);
  }

  /** When the last node was no longer ready in a gap; undefined if one was ready throughout. */
  lostIn({ began, ended }: Gap): number | undefined {
    return latest(
      this.#changes.map((changes) =>
        changes.find(({ at, ready }) => !ready && at > began && at < ended),
      ),
    );
  }

  /** When the last node was ready again. */
  get regained(): number | undefined {
    return latest(this.#changes.map((changes) => changes.findLast(({ ready }) => ready)));
  }

  async #watch(url: string, changes: Change[]): Promise<void> {
    while (!this.#stopped) {
      const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10 * secondMs) })
        .then(({ ok }) => ok)
        .catch(() => false);
      if (changes.at(-1)?.ready !== ready) changes.push({ at: performance.now(), ready });
      await delay(pauseMs);
    }
  }
}

const latest = (changes: readonly (Change | undefined)[]): number | undefined =>
  changes.includes(undefined) ? undefined : Math.max(...changes.map((change) => change?.at ?? 0));
