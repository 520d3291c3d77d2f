interface Requested {
  /** When the link that gives access was signed, in seconds since 1970; none with a token. */
  readonly linkedAt?: number;
}

/** The owner of a map: a user, optionally restricted to a platform, or all users of a platform. */
export type MapOwner = Requested &
  (
    | { readonly kind: 'users'; readonly id: string; readonly platformId?: string }
    | { readonly kind: 'platforms'; readonly id: string }
  );

/** The column of map_cells that identifies the owner. */
export const columnOf = ({ kind }: Pick<MapOwner, 'kind'>): 'user_id' | 'platform_id' =>
  kind === 'users' ? 'user_id' : 'platform_id';
