/** Whose map it is: a user's, who may have to be of a platform, or that of all users of one. */
export type MapOwner =
  | { readonly kind: 'users'; readonly id: string; readonly platformId?: string }
  | { readonly kind: 'platforms'; readonly id: string };

/** The column of map_cells that an owner's rows are found by. */
export const columnOf = ({ kind }: Pick<MapOwner, 'kind'>): 'user_id' | 'platform_id' =>
  kind === 'users' ? 'user_id' : 'platform_id';
