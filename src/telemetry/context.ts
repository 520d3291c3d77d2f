import { AsyncLocalStorage } from 'node:async_hooks';

/** The token that a request came with. */
export interface Bearer {
  readonly scope: 'admin' | 'platform' | 'user';
  /** The id of the token. */
  readonly token: string;
}

/** What a piece of work is part of, known in everything that it awaits. */
interface WorkContext {
  /** Who waits for it: an id of a user or platform, or a word; undefined for imgstore's own work. */
  readonly caller?: string | undefined;
  /** The token of the request, to which changes are put down. */
  readonly bearer?: Bearer | undefined;
  /** What entries of the log have of it: the id of a request, a run of a job, a webhook's message. */
  readonly logged?: Readonly<Record<string, string>> | undefined;
}

// One for everything: each further one would be copied to every promise.
const contexts = new AsyncLocalStorage<WorkContext>();

/** Runs work as part of what it is part of already, and of this. */
export const runWithin = <T>(more: WorkContext, work: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...more }, work);

/** Runs work that outlives what has happened to begin it. */
export const runOutside = <T>(work: () => T): T => contexts.exit(work);

export const contextCaller = (): string | undefined => contexts.getStore()?.caller;

export const contextBearer = (): Bearer | undefined => contexts.getStore()?.bearer;

/** Fields of the entries of the log that the current work writes. */
export const loggedFields = (): Readonly<Record<string, string>> | undefined =>
  contexts.getStore()?.logged;
