/** What the keys of objects begin with that nothing refers to, and that are kept nevertheless. */
export const quarantinePrefix = 'quarantine/';

export const isQuarantined = (key: string): boolean => key.startsWith(quarantinePrefix);

/** An object in quarantine: since which day, in UTC, and the key that it had. */
export interface Quarantined {
  readonly day: string;
  readonly key: string;
}

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** What the keys begin with of what was moved into quarantine on a day. */
export const quarantineFolder = (day: string): string => `${quarantinePrefix}${day}/`;

export const quarantineKey = ({ day, key }: Quarantined): string => quarantineFolder(day) + key;

const shape = /^quarantine\/(\d{4}-\d\d-\d\d)\/(.+)$/;

/** @returns undefined for what was not put there by imgstore. */
export function parseQuarantineKey(name: string): Quarantined | undefined {
  const [, day, key] = shape.exec(name) ?? [];
  return day !== undefined && key !== undefined ? { day, key } : undefined;
}
