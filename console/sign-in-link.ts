import { signal } from '@preact/signals';
import { createImgstoreClient } from '../clients/typescript/src/index.js';
import { Problem, problemOf } from './core/problem';
import { unanswered } from './core/reach';
import { go } from './core/router';
import { begin, end, session, sessionOf } from './core/session';
import type { Session } from './core/session';
import { stay } from './core/staying';

/** Why the last link did not sign in, until someone does. */
export const linkProblem = signal<unknown>(undefined);

/** The platforms that the last link leaves to choose from, if there are several. */
export const choices = signal<readonly { readonly id: string; readonly name: string }[]>([]);

/** A user's link has been opened, whose code waits for a button: messengers open links, too. */
export const offered = signal(false);

let code: string | undefined;
interface Wish {
  /** To sign in to, of several. */
  readonly platform?: string;
  /** Whether a user stays signed in. */
  readonly stays?: boolean;
}
let wanted: Wish = {};

/**
 * Follows a link by `imgstore console`, or a user's: the page's URL, or one pasted into the tab of an open
 * page.
 */
export function followSignInLinks(): void {
  const take = (): void => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const ofUser = parameters.get('sign-in');
    const given = ofUser ?? parameters.get('code');
    if (given === null) return;
    code = given;
    history.replaceState(null, '', location.pathname + location.search);
    stay(false); // what was kept here gives way to the link
    linkProblem.value = undefined;
    offered.value = ofUser !== null;
    if (ofUser === null) void followLink({});
    else end();
  };
  addEventListener('hashchange', take);
  session.subscribe((current) => {
    if (!current) return;
    linkProblem.value = undefined;
    choices.value = [];
  });
  take();
}

/**
 * Signs in with the code of the last link; again, if the server did not answer. Whoever was signed in
 * is not anymore: what the page shows from here on must not be taken for the link's.
 */
export async function followLink(wish = wanted): Promise<void> {
  wanted = wish;
  const current = code;
  if (current === undefined) return;
  linkProblem.value = undefined;
  end();
  try {
    const next = await exchange(current, wish);
    if (!next) return;
    if (offered.value) stay(wish.stays === true);
    offered.value = false;
    go('/', { replace: true });
    begin(next);
  } catch (refused) {
    if (current === code) linkProblem.value = asLink(refused);
  }
}

/** @returns undefined if a platform has to be chosen first. @throws Problem. */
async function exchange(code: string, { platform, stays }: Wish): Promise<Session | undefined> {
  const client = createImgstoreClient({ baseUrl: location.origin, scheme: 'Admin', token: '' });
  const body = {
    code,
    ...(platform !== undefined && { platform_id: platform }),
    ...(stays === true && { stay: 'True' as const }),
  };
  const { data, error, response } = await client
    .POST('/api/v1/auth/console', { body })
    .catch(() => {
      throw unanswered();
    });
  choices.value = data?.result.platforms ?? [];
  if (choices.value.length > 0) return undefined;
  const next = data && sessionOf(data.result.access_token ?? '');
  if (!next) throw problemOf(response.status, error);
  return next;
}

/** A refused link has its own remedy. */
const asLink = (problem: unknown): unknown =>
  problem instanceof Problem && problem.status === 401
    ? new Problem(offered.value ? 'user_link_used' : 'link_used', problem.message, problem.status)
    : problem;
