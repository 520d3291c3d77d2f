import { signal } from '@preact/signals';
import { createImgstoreClient } from '../clients/typescript/src/index.js';
import { Problem, problemOf } from './core/problem';
import { unanswered } from './core/reach';
import { go } from './core/router';
import { begin, end, session, sessionOf } from './core/session';
import type { Session } from './core/session';

/** Why the last link did not sign in, until someone does. */
export const linkProblem = signal<unknown>(undefined);

let code: string | undefined;

/** Follows a link by `imgstore console`: the page's URL, or one pasted into the tab of an open page. */
export function followSignInLinks(): void {
  const take = (): void => {
    const given = new URLSearchParams(location.hash.slice(1)).get('code');
    if (given === null) return;
    code = given;
    history.replaceState(null, '', location.pathname + location.search);
    void followLink();
  };
  addEventListener('hashchange', take);
  session.subscribe((current) => {
    if (current) linkProblem.value = undefined;
  });
  take();
}

/**
 * Signs in with the code of the last link; again, if the server did not answer. Whoever was signed in
 * is not anymore: what the page shows from here on must not be taken for the link's.
 */
export async function followLink(): Promise<void> {
  const current = code;
  if (current === undefined) return;
  linkProblem.value = undefined;
  end();
  try {
    const next = await exchange(current);
    go('/', { replace: true });
    begin(next);
  } catch (refused) {
    if (current === code) linkProblem.value = asLink(refused);
  }
}

/** @throws Problem. */
async function exchange(code: string): Promise<Session> {
  const client = createImgstoreClient({ baseUrl: location.origin, scheme: 'Admin', token: '' });
  const { data, error, response } = await client
    .POST('/api/v1/auth/console', { body: { code } })
    .catch(() => {
      throw unanswered();
    });
  const next = data && sessionOf(data.result.access_token);
  if (!next) throw problemOf(response.status, error);
  return next;
}

/** A refused link has its own remedy. */
const asLink = (problem: unknown): unknown =>
  problem instanceof Problem && problem.status === 401
    ? new Problem('link_used', problem.message, problem.status)
    : problem;
