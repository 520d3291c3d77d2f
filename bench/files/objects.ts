/** Bytes of what is served. */
export const sizes = { thumb: 6_000, original: 2_500_000 };

export type Kind = keyof typeof sizes;

/** Bare node:http, imgstore, imgstore behind nginx with `files.accel`, nginx alone. */
export type Server = 'bare' | 'ours' | 'accel' | 'sendfile';

export interface Served {
  readonly bases: Readonly<Record<Server, string>>;
  /** Signed paths. */
  readonly paths: Readonly<Record<Kind, readonly string[]>>;
}
