import { effect } from '@preact/signals';
import { createImgstoreClient } from '../../clients/typescript/src/index.js';
import { callAs } from './api';
import { onReturn, seek } from './reach';
import { forgetChoice, remember, remembered } from './remembered';
import { begin, end, session, sessionOf } from './session';
import type { Session } from './session';
import { forgetUser } from './unsent';

// Users who stay signed in on this device: their browser keeps a cookie that no script reads, for which the
// server gives another token. The page only remembers that there is one.

/** How long before a token expires another one is asked for, in milliseconds. */
const earlyMs = 5 * 60_000;
/** The longest time of a timer, in milliseconds. */
const longestMs = 2 ** 31 - 1;

const stays = (): boolean => remembered('stays') !== null;

/** Remembers that a user stays signed in, or does not. */
export const stay = (on: boolean): void => (on ? remember('stays', 'yes') : forgetChoice('stays'));

/** Takes up the session of a user who stays signed in, and renews its token from then on. */
export function keepStaying(): void {
  let isTheirs = true;
  onReturn(() => {
    if (!session.value && isTheirs && stays()) void renew();
  });
  effect(() => {
    const { value: current } = session;
    if (current) isTheirs = current.userId !== undefined && current.name !== undefined;
    if (!isTheirs || !stays()) return undefined;
    if (!current) return void renew();
    // One that is about to expire from the beginning ends first: this clock may be wrong.
    const ms = current.expiresAt - earlyMs - Date.now();
    if (ms <= 0) return undefined;
    const timer = setTimeout(() => void renew(), Math.min(longestMs, ms));
    return () => clearTimeout(timer);
  });
}

/** Asks for another token. A cookie that is not accepted is forgotten. */
async function renew(): Promise<void> {
  const client = createImgstoreClient({ baseUrl: location.origin, scheme: 'User', token: '' });
  const { data, response } = await client
    .POST('/api/v1/auth/session')
    .catch(() => ({ data: undefined, response: undefined }));
  const next = data && sessionOf(data.result.access_token ?? '');
  if (next) begin(next);
  else if (response?.status === 401) stay(false);
  else seek();
}

/** Ends the session here, where nothing of it stays, and on the server unless that does not answer. */
export async function signOut(current: Session): Promise<void> {
  stay(false);
  const forgotten = forgetUser();
  end(current.name !== undefined && current.userId === undefined ? 'left' : undefined);
  await forgotten;
  if (current.name === undefined) return;
  const ending = callAs(current, (client) => client.DELETE('/api/v1/auth/session'));
  ending.catch(() => undefined); // it ends by itself
}
