/** Images of the user with which a growing user is compared. */
export const smallImages = 10_000;
/** Approximate images of every other user in a large table. */
const othersImages = 10_100;

/** The users of a table by their number of images. */
export interface Table {
  /** Has a tenth of the images, but not less than the small one. */
  readonly largest: number;
  /** All but the largest user and, if it is a different one, the small user. */
  readonly others: readonly number[];
}

/** For example, 10,000,000 images belong to 892 users: one with 1,000,000, one with 10,000, the others alike. */
export function tableOf(rows: number): Table {
  const largest = Math.min(Math.max(Math.round(rows / 10), smallImages), rows);
  const left = Math.max(rows - largest - (largest === smallImages ? 0 : smallImages), 0);
  const users = Math.round(left / othersImages);
  const each = Math.floor(left / users);
  const others = Array.from({ length: users }, (_, n) => each + (n < left % users ? 1 : 0));
  return { largest, others };
}
