/** The totals of a list. */
export interface ListTotals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
  /** false: there are at least as many items, and as many bytes (docs/adr/0028). */
  readonly exact?: boolean;
}

/** The response field that marks totals as lower bounds; omitted for exact totals. */
export const exactness = ({ exact }: ListTotals): { readonly total_is_exact?: false } =>
  exact === false ? { total_is_exact: false } : {};
