/** The prefix of the keys of quarantined objects. */
export const quarantinePrefix = 'quarantine/';

export const isQuarantined = (key: string): boolean => key.startsWith(quarantinePrefix);

/** An object in quarantine: the day on which it was moved, in UTC, and its former key. */
export interface Quarantined {
  readonly day: string;
  readonly key: string;
}

export const quarantineDay = (time: Date): string => time.toISOString().slice(0, 10);

/** The prefix of the keys of objects that were moved into quarantine on a day. */
export const quarantineFolder = (day: string): string => `${quarantinePrefix}${day}/`;

export const quarantineKey = ({ day, key }: Quarantined): string => quarantineFolder(day) + key;

const shape = /^quarantine\/(\d{4}-\d\d-\d\d)\/(.+)$/;

/** @returns undefined for a key that imgstore did not create. */
export function parseQuarantineKey(name: string): Quarantined | undefined {
  const [, day, key] = shape.exec(name) ?? [];
  return day !== undefined && key !== undefined ? { day, key } : undefined;
}
