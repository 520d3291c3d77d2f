/** How much a list holds. */
export interface Totals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
}
