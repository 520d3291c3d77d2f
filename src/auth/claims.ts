/** The holder of a token; an administrator has neither platform nor user. */
export interface Holder {
  readonly platformId?: string;
  readonly userId?: string;
}

export type Scope = 'admin' | 'platform' | 'user';
export type TokenType = 'access' | 'refresh';

/** The content of a verified token. */
export interface Claims extends Holder {
  readonly scope: Scope;
  readonly typ: TokenType;
  readonly jti: string;
  /** The refresh-token family of the token, if any. */
  readonly fam?: string;
  /** The platform's token generation at the time of issue. */
  readonly gen?: number;
}

/** The caller to whom a holder's work is charged. */
export const callerOf = ({ platformId, userId }: Holder): string =>
  userId ?? platformId ?? 'administrator';

export const scopeOf = (holder: Holder): Scope =>
  holder.userId ? 'user' : holder.platformId ? 'platform' : 'admin';
