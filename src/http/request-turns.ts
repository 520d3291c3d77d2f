import type { Response } from 'express';
import { accountOf } from '../auth/claims.js';
import type { Claims } from '../auth/claims.js';
import { FairTurns } from '../database/fair-turns.js';
import { guarded } from '../guard.js';
import type { Operation } from './operation.js';
import { secondMs } from '../units.js';

/** Concurrent requests of one caller, and requests that may wait. */
const requestsPerCaller = 32;
const waitingPerCaller = 1_000;
/** Longest time that a request waits for others of its caller, in milliseconds. */
const waitMs = 10 * secondMs;

/** Limits how many requests of one caller are in progress. */
export class RequestTurns {
  readonly #turns = new FairTurns({
    total: Infinity,
    perCaller: requestsPerCaller,
    waiting: waitingPerCaller,
    waitMs,
  });

  /**
   * Waits until the caller has few enough requests in progress; a request counts until its response
   * has been sent. Uploads are exempt: they wait for the imaging process, which has its own queue,
   * and their responses are short.
   * @returns false if the client disconnected in the meantime.
   * @throws ServiceError `unavailable` when the caller has too many requests.
   */
  async take({ upload }: Operation, caller: Claims, response: Response): Promise<boolean> {
    if (upload) return true;
    if (response.destroyed) return false; // disconnected while its token was checked: 'close' has already fired
    const account = accountOf(caller);
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    const cut = (): void => void response.destroy();
    const closed = guarded(cut, () => {
      if (state === 'running') this.#turns.give(account);
      state = 'over';
    });
    response.once('close', closed);
    await this.#turns.take(account);
    if ((state as string) === 'over') {
      this.#turns.give(account);
      return false;
    }
    state = 'running';
    return true;
  }
}
