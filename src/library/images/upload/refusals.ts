import { ServiceError } from '../../../base/errors/catalogue.js';
import type { Logger } from '../../../base/telemetry/logger.js';
import type { Queryable } from '../../../database/sql.js';
import { noteAct } from '../../../http/audit/acts.js';
import { RateCounter } from '../../../http/rate-limit.js';

/** Refusals of one user that this node notes in a minute: enough to see a reason, too few to fill a disk. */
const perMinute = 6;

/** Notes in the audit why uploads were refused, for those who are asked about it. */
export class Refusals {
  readonly #noted = new RateCounter(perMinute);

  /** @param db outside of the transaction of a request, which a refusal takes back. */
  constructor(
    private readonly db: Queryable,
    private readonly logger: Logger,
  ) {}

  /** Notes an error of an upload, if it is a refusal. @throws the error. */
  async note(
    { platformId, userId }: { readonly platformId: string; readonly userId: string },
    error: unknown,
  ): Promise<never> {
    const isRefusal = error instanceof ServiceError && error.status < 500 && error.status !== 429;
    if (isRefusal && this.#noted.take(userId) === 0) {
      const details = { code: error.code };
      await noteAct(this.db, { act: 'upload.refuse', platformId, userId, details }).catch(
        (cause: unknown) => {
          this.logger.warn('a refused upload cannot be noted', { error: cause });
        },
      );
    }
    throw error;
  }
}
