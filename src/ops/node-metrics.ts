import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { SharedRun } from '../base/concurrency.js';
import type { Config } from '../base/config/options.js';
import type { Home } from '../base/config/home.js';
import { version } from '../base/installed-files.js';
import {
  expositionType,
  measureProcess,
  sampleProcess,
  expositionText,
  installationRead,
  platformBytes,
  platformCount,
  platformImages,
  reclaimObjects,
  reclaimOldest,
  resumableUploads,
  webhookCount,
  feedHeld,
  webhookLanes,
} from '../base/telemetry/exposition.js';
import type { Logger } from '../base/telemetry/logger.js';
import { buildInfo, diskFreeBytes, partUp } from '../base/telemetry/metrics.js';
import type { Sample } from '../base/telemetry/series.js';
import { secondMs, minuteMs } from '../base/units.js';
import { allWithin } from '../database/sql.js';
import { selectFeedHolders } from '../feed/changes/upkeep.js';
import { laneCounts, webhookCounts } from '../feed/webhooks/upkeep.js';
import { statesOf, type HealthCheck } from '../http/health.js';
import type { Exposition } from '../http/metrics-server.js';
import { reclaimBacklog } from '../library/reclaim/reclaim.js';
import { countOpenUploads } from '../library/resumable/upkeep.js';
import { largestPlatforms } from '../library/statistics/usage-statistics.js';

/** How long a scrape waits for the database before it returns the previous values. */
const timeoutMs = 2 * secondMs;

export interface NodeMetricsParts {
  readonly db: DataSource;
  readonly config: Pick<Config, 'store.deletion_delay_hours'>;
  readonly home: Home;
  readonly logger: Logger;
  /** The components that the service depends on. */
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Of the node's other processes. */
  readonly others: () => Promise<Sample[][]>;
}

/** All metrics of one node. */
export class NodeMetrics {
  readonly #installation: InstallationMetrics;
  readonly #exposing = new SharedRun(() => this.#expose());

  constructor(private readonly parts: NodeMetricsParts) {
    this.#installation = new InstallationMetrics(parts);
    measureProcess('service');
    buildInfo.of(version(), process.versions.node).set(1);
  }

  /** Concurrent requests share one collection. */
  readonly expose = (): Promise<Exposition> => this.#exposing.run();

  async #expose(): Promise<Exposition> {
    const [others] = await Promise.all([
      this.parts.others(),
      this.#measureParts(),
      this.#measureDisks(),
      Promise.race([this.#installation.refresh(), delay(timeoutMs, undefined, { ref: false })]),
    ]);
    return { type: expositionType, text: await expositionText([await sampleProcess(), ...others]) };
  }

  async #measureParts(): Promise<void> {
    for (const [part, state] of Object.entries(await statesOf(this.parts.checks))) {
      partUp.of(part).set(state === 'ok' ? 1 : 0);
    }
  }

  async #measureDisks(): Promise<void> {
    const { incoming, store } = this.parts.home;
    const folders = Object.entries({ incoming, store }).map(async ([name, folder]) => {
      // Without a local store, this folder does not exist.
      const found = await statfs(folder).catch(() => undefined);
      return found ? ([[name], found.bavail * found.bsize] as const) : undefined;
    });
    diskFreeBytes.replace((await Promise.all(folders)).filter((row) => row !== undefined));
  }
}

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
class InstallationMetrics {
  #due = -Infinity;
  #failed = false;
  #reading: Promise<void> | undefined;

  constructor(private readonly parts: NodeMetricsParts) {}

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
      if (!this.#failed)
        this.parts.logger.warn('metrics cannot be read from the database', { reason });
      this.#failed = true;
    }
    const took = performance.now() - began;
    this.#due = began + Math.max(freshMs, pausePerRead * took);
  }

  async #read(): Promise<void> {
    const { backlog, platforms, uploads, webhooks, lanes, holders } = await allWithin(
      this.parts.db,
      limitMs,
      async (tx) => ({
        backlog: await reclaimBacklog(tx, this.parts.config['store.deletion_delay_hours']),
        platforms: await largestPlatforms(tx, maxPlatforms),
        uploads: await countOpenUploads(tx),
        webhooks: await webhookCounts(tx),
        lanes: await laneCounts(tx),
        holders: await selectFeedHolders(tx),
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
    resumableUploads.replace(Object.entries(uploads).map(([state, n]) => [[state], n]));
    webhookCount.replace(Object.entries(webhooks).map(([state, count]) => [[state], count]));
    webhookLanes.replace(Object.entries(lanes).map(([state, count]) => [[state], count]));
    feedHeld.of().set(holders[0]?.seconds ?? 0);
    installationRead.of().set(Date.now() / secondMs);
  }
}
