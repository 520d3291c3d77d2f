const guestPrefix = 'guests of ';

/**
 * All who come to something of an owner without a token, by a link or a signed URL: one caller, whose
 * share is smaller than the owner's.
 */
export const guestsOf = (owner: string): string => guestPrefix + owner;

const isGuest = (caller: string): boolean => caller.startsWith(guestPrefix);

/** What the share of a caller who holds a token is, in those of guests. */
const sharesOfGuests = 4;

/** @param share of a caller who holds a token. */
export const shareOf = (caller: string, share: number): number =>
  isGuest(caller) ? Math.max(1, Math.floor(share / sharesOfGuests)) : share;

/** How many times what a caller takes counts, where turns are taken by usage. */
export const weightOf = (caller: string): number => (isGuest(caller) ? sharesOfGuests : 1);
