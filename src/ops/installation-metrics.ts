import type { DataSource } from 'typeorm';
import { allWithin } from '../database/sql.js';
import { reclaimBacklog } from '../library/reclaim/reclaim.js';
import { largestPlatforms } from '../library/statistics/service.js';
import type { Logger } from '../base/telemetry/logger.js';
import {
  installationRead,
  platformBytes,
  platformCount,
  platformImages,
  reclaimObjects,
  reclaimOldest,
  webhookCount,
  webhookLanes,
} from '../base/telemetry/exposition.js';
import { minuteMs, secondMs } from '../base/units.js';
import { laneCounts, webhookCounts } from '../feed/webhooks/upkeep.js';

/** Platforms that have series of their own. */
const maxPlatforms = 50;

/** Longest time for one statement. */
const limitMs = 5 * secondMs;

/** How long values stay fresh, in milliseconds, and as a multiple of the time that reading took. */
const freshMs = minuteMs;
const pausePerRead = 20;

/**
 * Metrics that all nodes share: read from the database at limited intervals, however often they are
 * requested.
 */
export class InstallationMetrics {
  #due = -Infinity;
  #failed = false;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly db: DataSource,
    private readonly logger: Logger,
  ) {}

  /** Resolves when the values are fresh enough. */
  refresh(): Promise<void> {
    if (this.#reading) return this.#reading;
    if (performance.now() < this.#due) return Promise.resolve();
    this.#reading = this.#refresh().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #refresh(): Promise<void> {
    const began = performance.now();
    try {
      await this.#read();
      this.#failed = false;
    } catch (error) {
      const reason = (error as Error).message;
      if (!this.#failed) this.logger.warn('metrics cannot be read from the database', { reason });
      this.#failed = true;
    }
    const took = performance.now() - began;
    this.#due = began + Math.max(freshMs, pausePerRead * took);
  }

  async #read(): Promise<void> {
    const { backlog, platforms, webhooks, lanes } = await allWithin(
      this.db,
      limitMs,
      async (tx) => ({
        backlog: await reclaimBacklog(tx),
        platforms: await largestPlatforms(tx, maxPlatforms),
        webhooks: await webhookCounts(tx),
        lanes: await laneCounts(tx),
      }),
    );
    const { pending, due, failing, oldest } = backlog;
    reclaimObjects.replace([
      [['pending'], pending],
      [['due'], due],
      [['failing'], failing],
    ]);
    reclaimOldest.of().set(oldest ? (Date.now() - oldest.getTime()) / secondMs : 0);
    const label = (name: string | null): [string] => [name ?? '(other)'];
    platformImages.replace(platforms.map(({ name, images }) => [label(name), images]));
    platformBytes.replace(platforms.map(({ name, bytes }) => [label(name), bytes]));
    platformCount.of().set(platforms.reduce((sum, total) => sum + total.platforms, 0));
    webhookCount.replace(Object.entries(webhooks).map(([state, count]) => [[state], count]));
    webhookLanes.replace(Object.entries(lanes).map(([state, count]) => [[state], count]));
    installationRead.of().set(Date.now() / secondMs);
  }
}
