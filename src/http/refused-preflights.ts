import type { IncomingMessage } from 'node:http';
import { secondMs } from '../base/units.js';
import type { Logger } from '../base/telemetry/logger.js';
import { pathOf } from './target.js';

/** A page that keeps retrying must not flood the log. */
const pauseMs = secondMs;

/** Maximum number of logged characters of a client's text. */
const maxLength = 200;

/**
 * Logs refused preflights for the operator, since in the browser they look like a network failure.
 */
export class RefusedPreflights {
  #last = -Infinity;

  constructor(
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs a line if this is a preflight; at most one a second. */
  note({ headers: { origin, ...headers }, method, url }: IncomingMessage): void {
    if (method !== 'OPTIONS' || !origin || !headers['access-control-request-method']) return;
    const now = this.now();
    if (now - this.#last < pauseMs) return;
    this.#last = now;
    const from = origin.slice(0, maxLength);
    this.logger.warn('CORS preflight refused', {
      origin: from,
      path: pathOf(url).slice(0, maxLength),
      remedy: `to allow it, add ${from} to cors.origins (IMGSTORE_CORS_ORIGINS)`,
    });
  }
}
