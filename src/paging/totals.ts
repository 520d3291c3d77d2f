/** The totals of a list. */
export interface Totals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
}
