import { effect, signal } from '@preact/signals';
import { forgetToken, keepToken, keptToken } from './remembered';

/** The scopes of tokens that the console accepts. */
export type Scope = 'admin' | 'platform' | 'user';

/** A token and its claims, which are only for display: the server decides what it may do. */
export interface Session {
  readonly token: string;
  readonly scope: Scope;
  /** For platform and user tokens. */
  readonly platformId: string | undefined;
  /** For user tokens. */
  readonly userId: string | undefined;
  /** As lists of sessions call it; of a pasted token, that of nothing in them. */
  readonly id: string | undefined;
  /** Who has signed in, if that is known: of pasted tokens it is not. */
  readonly name: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** As long as the tab, which keeps the token over a reload. */
export const session = signal<Session | undefined>(undefined);

/** Why there is no session anymore; `left`: by "Sign out", of a person who may still be signed in elsewhere. */
type Ending = 'expired' | 'refused' | 'left';

/** For the page that asks for a token. */
export const ended = signal<Ending | undefined>(undefined);

/** The claims of a JWT (RFC 7519) that the console shows. */
interface Payload {
  readonly sub?: unknown;
  readonly scope?: unknown;
  readonly typ?: unknown;
  readonly platform_id?: unknown;
  readonly fam?: unknown;
  readonly name?: unknown;
  readonly exp?: unknown;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const isScope = (word: unknown): word is Scope =>
  word === 'admin' || word === 'platform' || word === 'user';

function payloadOf(token: string): Payload | undefined {
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(base64)) as Payload;
  } catch {
    return undefined;
  }
}

/** A pasted token, perhaps with its scheme; undefined if it is not an access token. */
export function sessionOf(pasted: string): Session | undefined {
  const token = pasted.trim().split(/\s+/).at(-1) ?? '';
  const payload = payloadOf(token);
  if (!payload || !isScope(payload.scope) || payload.typ !== 'access') return undefined;
  const { scope } = payload;
  const sub = textOf(payload.sub);
  return {
    token,
    scope,
    platformId: scope === 'platform' ? sub : textOf(payload.platform_id),
    userId: scope === 'user' ? sub : undefined,
    id: textOf(payload.fam),
    name: textOf(payload.name),
    expiresAt: typeof payload.exp === 'number' ? payload.exp * 1_000 : Infinity,
  };
}

export function begin(next: Session): void {
  ended.value = undefined;
  session.value = next;
}

/** Takes up the session that the tab had before a reload, and keeps those to come. */
export function resume(): void {
  const kept = sessionOf(keptToken() ?? '');
  if (kept && kept.expiresAt > Date.now()) session.value = kept;
  else if (kept) ended.value = 'expired';
  effect(() => {
    const { value: current } = session;
    if (!current) return forgetToken();
    keepToken(current.token);
    return endAt(current.expiresAt);
  });
}

/** The longest time of a timer, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/**
 * Ends the session when its token expires. A token that this clock finds expired from the beginning
 * is left to the server: the clock may be wrong.
 * @returns a function that calls this off.
 */
function endAt(time: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    timer = setTimeout(
      () => (Date.now() < time ? wait() : end('expired')),
      Math.min(longestMs, time - Date.now()),
    );
  };
  if (time > Date.now()) wait();
  return () => clearTimeout(timer);
}

/** The URL stays, so that after signing in again the reader is where they were. */
export function end(reason?: Ending): void {
  ended.value = reason;
  session.value = undefined;
}
