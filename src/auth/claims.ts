/** Whom a token speaks for: nobody's platform and user is an administrator. */
export interface Holder {
  readonly platformId?: string;
  readonly userId?: string;
}

export type Scope = 'admin' | 'platform' | 'user';
export type TokenType = 'access' | 'refresh';

/** What a verified token says. */
export interface Claims extends Holder {
  readonly scope: Scope;
  readonly typ: TokenType;
  readonly jti: string;
  /** The refresh family that the token belongs to, if any. */
  readonly fam?: string;
  /** The platform's token generation when the token was made. */
  readonly gen?: number;
}

/** On whose account the work for a holder is done. */
export const accountOf = ({ platformId, userId }: Holder): string =>
  userId ?? platformId ?? 'administrator';

export const scopeOf = (holder: Holder): Scope =>
  holder.userId ? 'user' : holder.platformId ? 'platform' : 'admin';
