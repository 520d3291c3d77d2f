import type { Response } from 'express';
import { callerOf } from './auth/claims.js';
import type { Claims } from './auth/claims.js';
import { FairSemaphore } from '../database/fair-semaphore.js';
import { guarded } from '../base/guarded.js';
import type { Operation } from './operation.js';
import { secondMs } from '../base/units.js';

/** Concurrent requests of one caller, and requests that may wait. */
const requestsPerCaller = 32;
const waitingPerCaller = 1_000;
/** How long a request waits for others of its caller at most, in milliseconds. */
const waitMs = 10 * secondMs;

/** Limits how many requests of one caller are in progress. */
export class RequestLimiter {
  readonly #semaphore = new FairSemaphore({
    total: Infinity,
    perCaller: requestsPerCaller,
    waiting: waitingPerCaller,
    waitMs,
  });

  /**
   * Waits until the caller has few enough requests in progress; a request counts until its response
   * has been sent. Uploads are exempt, since they wait for the imaging process, which has its own
   * queue, and their responses are short. Requests that wait for changes are exempt as well.
   * @returns false if the client disconnected in the meantime.
   * @throws ServiceError `unavailable` when the caller has too many requests.
   */
  async acquire(
    { upload, waits }: Operation,
    caller: Claims,
    response: Response,
  ): Promise<boolean> {
    if (upload || waits) return true;
    if (response.destroyed) return false; // disconnected while its token was checked, so 'close' has already been emitted
    const account = callerOf(caller);
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    const cut = (): void => void response.destroy();
    const closed = guarded(cut, () => {
      if (state === 'running') this.#semaphore.release(account);
      state = 'over';
    });
    response.once('close', closed);
    await this.#semaphore.acquire(account);
    if ((state as string) === 'over') {
      this.#semaphore.release(account);
      return false;
    }
    state = 'running';
    return true;
  }
}
