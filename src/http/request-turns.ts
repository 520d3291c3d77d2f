import type { Response } from 'express';
import { accountOf } from '../auth/claims.js';
import type { Claims } from '../auth/claims.js';
import { FairTurns } from '../database/fair-turns.js';
import { guarded } from '../guard.js';
import type { Operation } from './operation.js';
import { secondMs } from '../units.js';

/** Requests of one caller that are worked on or answered at a time, and that wait for that. */
const requestsPerCaller = 32;
const waitingPerCaller = 1_000;
/** The longest that a request waits for others of its caller, in milliseconds. */
const waitMs = 10 * secondMs;

/** Bounds how many requests of one caller are under way. */
export class RequestTurns {
  readonly #turns = new FairTurns({
    total: Infinity,
    perCaller: requestsPerCaller,
    waiting: waitingPerCaller,
    waitMs,
  });

  /**
   * Waits until the caller has few enough requests under way: what a request holds is held until its
   * answer has been taken. Uploads are left out: they wait for the imaging process, which has a queue
   * of its own, and their answers are short.
   * @returns false when the client has gone meanwhile.
   * @throws ServiceError `unavailable` for a caller with too many requests.
   */
  async take({ upload }: Operation, caller: Claims, response: Response): Promise<boolean> {
    if (upload) return true;
    if (response.destroyed) return false; // went while its token was checked: 'close' has been
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
