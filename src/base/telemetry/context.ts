import { AsyncLocalStorage } from 'node:async_hooks';

/** The token that a request came with. */
export interface Bearer {
  readonly scope: 'admin' | 'platform' | 'user';
  /** The id of the token, or of the session that it is of. */
  readonly token: string;
  /** Of a token of a session: who signed in, and when that ends, in seconds since 1970. */
  readonly session?: { readonly name: string; readonly expiresAt: number };
}

/** The context of running work, available in everything that it awaits. */
interface WorkContext {
  /** Who waits for it: an id of a user or platform, or a word; undefined for imgstore's own work. */
  readonly caller?: string | undefined;
  /** The token of the request, which is recorded with its changes. */
  readonly bearer?: Bearer | undefined;
  /** Fields of its log entries: the id of a request, of a job run, or of a webhook's message. */
  readonly logged?: Readonly<Record<string, string>> | undefined;
}

// One storage for everything: each further one would be copied to every promise.
const contexts = new AsyncLocalStorage<WorkContext>();

/** Runs work with `more` added to the current context. */
export const runWithin = <T>(more: WorkContext, work: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...more }, work);

/** Runs work outside the current context, because it outlives whatever started it. */
export const runOutside = <T>(work: () => T): T => contexts.exit(work);

/** The current caller; undefined for internal work of imgstore, such as jobs. */
export const currentCaller = (): string | undefined => contexts.getStore()?.caller;

/** The token of the current request; undefined outside of requests. */
export const currentBearer = (): Bearer | undefined => contexts.getStore()?.bearer;

/** Fields of the log entries that the current work writes. */
export const loggedFields = (): Readonly<Record<string, string>> | undefined =>
  contexts.getStore()?.logged;

/** Levels of the log, from the least to the most verbose. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
