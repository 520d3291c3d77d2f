/** Bytes of what is served. */
export const sizes = { thumb: 6_000, original: 2_500_000 };

export type Kind = keyof typeof sizes;

export interface Served {
  readonly bases: Readonly<Record<'bare' | 'ours', string>>;
  /** Signed paths. */
  readonly paths: Readonly<Record<Kind, readonly string[]>>;
}
