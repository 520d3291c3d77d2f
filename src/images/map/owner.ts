/** The owner of a map: a user, optionally restricted to a platform, or all users of a platform. */
export type MapOwner =
  | { readonly kind: 'users'; readonly id: string; readonly platformId?: string }
  | { readonly kind: 'platforms'; readonly id: string };

/** The column of map_cells that identifies the owner. */
export const columnOf = ({ kind }: Pick<MapOwner, 'kind'>): 'user_id' | 'platform_id' =>
  kind === 'users' ? 'user_id' : 'platform_id';
