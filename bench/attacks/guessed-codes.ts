import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Tally } from '../../testkit/tally.js';
import { runInParallel, type Attack } from './attack.js';

/** Guesses a second; right codes that are tried meanwhile, one every other second. */
const perSecond = 40;
const tries = 10;

/** Guesses of the console's codes without a token, in the form of this version and of earlier ones. */
export const guessedCodes: Attack = {
  name: '8 guessed codes',
  seconds: 22,
  prepare: async (target) => {
    const codes: string[] = [];
    for (let n = 0; n < tries; n += 1) {
      const { url } = (await target.command(['console', '--json'])).json<{ url: string }>();
      codes.push(url.split('#code=')[1] ?? '');
    }
    const exchange = async (code: string): Promise<number> =>
      (await target.client.post('/api/v1/auth/console', { form: { code } })).status;
    return async (signal) => {
      const [guesses, right] = [new Tally(), new Tally()];
      const guess = async (): Promise<void> => {
        for (const bytes of [48, 32]) {
          guesses.note(String(await exchange(randomBytes(bytes).toString('base64url'))));
          await delay((8 * 1000) / perSecond);
        }
      };
      const guessing = runInParallel(8, signal, guess);
      await delay(5_000);
      for (const code of codes) {
        right.note(String(await exchange(code)));
        await delay(1_500);
      }
      await guessing;
      return `guesses: ${guesses.toString()}; right codes: ${right.toString()}`;
    };
  },
};
