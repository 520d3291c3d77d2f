const linkPrefix = 'links of ';

/** All who bear signed links of an owner, as one caller, whose share is smaller than the owner's. */
export const linkBearers = (owner: string): string => linkPrefix + owner;

const isLinkBearer = (caller: string): boolean => caller.startsWith(linkPrefix);

/** What the share of a caller who holds a token is, in those of bearers of links. */
const sharesOfBearers = 4;

/** @param share of a caller who holds a token. */
export const shareOf = (caller: string, share: number): number =>
  isLinkBearer(caller) ? Math.max(1, Math.floor(share / sharesOfBearers)) : share;

/** How many times what a caller takes counts, where turns are taken by usage. */
export const weightOf = (caller: string): number => (isLinkBearer(caller) ? sharesOfBearers : 1);
