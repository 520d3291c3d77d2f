import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Home } from '../base/config/home.js';
import { version } from '../base/installed-files.js';
import { statesOf, type HealthCheck } from '../http/health.js';
import type { Exposition } from '../http/metrics-server.js';
import { SharedRun } from '../base/concurrency.js';
import {
  expositionType,
  measureProcess,
  sampleProcess,
  expositionText,
} from '../base/telemetry/exposition.js';
import type { Logger } from '../base/telemetry/logger.js';
import { buildInfo, diskFreeBytes, partUp } from '../base/telemetry/metrics.js';
import type { Sample } from '../base/telemetry/series.js';
import { secondMs } from '../base/units.js';
import { InstallationMetrics } from './installation-metrics.js';

/** How long a scrape waits for the database before it returns the previous values. */
const timeoutMs = 2 * secondMs;

export interface NodeMetricsParts {
  readonly db: DataSource;
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
    this.#installation = new InstallationMetrics(parts.db, parts.logger);
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
