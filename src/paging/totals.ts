/** The totals of a list. */
export interface ListTotals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
}
