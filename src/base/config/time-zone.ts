/** The time zone of this machine; UTC when Node and PostgreSQL do not interpret its name alike. */
export function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/**
 * Names without a region, such as CET, mean a zone with daylight saving time to Node and a fixed
 * offset to PostgreSQL; offsets such as +09:00 count eastward in one and westward in the other.
 */
export function isTimeZone(zone: string): boolean {
  if (zone !== 'UTC' && !/^[A-Za-z]\w*(\/[\w+-]+)+$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
