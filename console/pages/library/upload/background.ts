import { callAs } from '../../../core/api';
import { forget, placesOf, readKept } from '../../../core/kept';
import { mayPass, Problem } from '../../../core/problem';
import { sessionOf } from '../../../core/session';
import type { Access } from '../access';
import { FolderTree } from '../tree/tree';
import { locks, openTabs, placeOf, tabLock, uploadOf, worker } from './kept-upload';
import type { KeptUpload } from './kept-upload';
import { Folders, store } from './store';

// What the service worker (public/offline.js) sends after the last tab was closed. It has no token: it asks for
// one with the cookie of a user who stays signed in, which no script reads.

const watch = { onAttempt: () => undefined, onSent: () => undefined };

/**
 * Sends what closed tabs have left, once no tab is open that could: those have the locks of tabs, and leave
 * alone what is sent here (leftovers.ts). @throws what kept it from sending all, if that passes.
 */
export async function sendLeft(signal: AbortSignal): Promise<void> {
  let tab: string | undefined;
  do {
    if (tab !== undefined) await locks?.request(tab, { signal }, () => undefined);
    // The lock comes first, also in a tab, so that one of both sees the other; what a tab that is opened later
    // keeps is not read.
    tab = await locks?.request(tabLock(worker), { signal }, async () => {
      const all = await readKept<KeptUpload>(placesOf(placeOf('')));
      const open = (await openTabs()).find((name) => name !== tabLock(worker));
      return open ?? (await sendAll(all, signal));
    });
  } while (tab !== undefined);
}

async function sendAll(all: readonly KeptUpload[], signal: AbortSignal): Promise<undefined> {
  const access = all.some(({ file }) => file) && (await accessOfCookie());
  if (!access) return;
  const sender = { access, folders: new Folders(access, new FolderTree(access)) };
  for (const { file, ...kept } of all) {
    signal.throwIfAborted();
    if (!file || kept.place !== placeOf(access.userId)) continue;
    try {
      await store(uploadOf(kept, file), sender, watch, signal);
      await forget(kept.key);
    } catch (cause) {
      // What is refused stays for the next tab, which says so.
      if (mayPass(cause) || isOver(cause)) throw cause;
    }
  }
}

/** Whether nobody is signed in, or not any more. */
const isOver = (problem: unknown): boolean => problem instanceof Problem && problem.status === 401;

/** Access to the user who stays signed in, if there is one. @throws Problem. */
async function accessOfCookie(): Promise<Access | undefined> {
  const nobody = { scope: 'user', token: '' } as const;
  const renewed = await callAs(nobody, (client) => client.POST('/api/v1/auth/session')).catch(
    (problem: unknown) => {
      if (!isOver(problem)) throw problem;
    },
  );
  const session = sessionOf(renewed?.access_token ?? '');
  const userId = session?.userId;
  if (!session || userId === undefined) return undefined;
  return { userId, call: (send) => callAs(session, send), session: async () => session };
}
