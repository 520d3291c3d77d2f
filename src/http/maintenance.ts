import { ServiceError } from '../base/errors/catalogue.js';
import { runOutside } from '../base/telemetry/context.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { atMostEvery } from './health.js';

/** How long what a node knows of it may be old, in milliseconds. */
export const maintenanceKnownMs = secondMs;

/** Whether all nodes refuse changes, as the database says; asked for at most once a second. */
export class Maintenance {
  readonly isOn = atMostEvery(maintenanceKnownMs, () => runOutside(() => this.#read()));
  #on = false;

  constructor(
    /** Since when, as the database says; null if it is off. */
    private readonly since: () => Promise<Date | null | undefined>,
    private readonly logger: Logger,
  ) {}

  /** @throws ServiceError `maintenance`. */
  async assertOff(): Promise<void> {
    if (await this.isOn()) throw new ServiceError('maintenance');
  }

  /** Without a database it stays as it was: a change fails by itself. */
  async #read(): Promise<boolean> {
    const since = await this.since().catch(() => undefined);
    const on = since === undefined ? this.#on : since !== null;
    if (on !== this.#on) {
      this.logger.info(on ? 'maintenance: changes are refused' : 'maintenance has ended');
    }
    this.#on = on;
    return on;
  }
}
