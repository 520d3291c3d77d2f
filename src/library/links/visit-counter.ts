import { patiently, SharedRun } from '../../base/concurrency.js';
import { runOutside } from '../../base/telemetry/context.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { secondMs } from '../../base/units.js';
import type { Queryable } from '../../database/sql.js';
import { addVisits } from './links.sql.js';

/** How long a page waits for its visit to be counted, in milliseconds. */
const patienceMs = secondMs / 2;

/** Counts how often the pages of links are opened: many at once in one statement for each link. */
export class VisitCounter {
  #pending = new Map<string, number>();
  readonly #count = new SharedRun(() => this.#write());

  constructor(
    private readonly db: Queryable,
    private readonly logger: Logger,
  ) {}

  /** Never rejects. Resolves once the visit is counted, or when that takes too long. */
  async note(linkId: string): Promise<void> {
    this.#pending.set(linkId, (this.#pending.get(linkId) ?? 0) + 1);
    await patiently(
      runOutside(() => this.#count.run()),
      patienceMs,
    );
  }

  async #write(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    for (const [linkId, visits] of pending) {
      await addVisits(this.db, linkId, visits).catch((error: unknown) =>
        this.logger.warn('visits of a link could not be counted', { link: linkId, visits, error }),
      );
    }
  }
}
