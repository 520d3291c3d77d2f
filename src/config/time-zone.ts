/** The zone of this machine; UTC when it has none that both Node and PostgreSQL know alike. */
export function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/**
 * Names without a region, such as CET, mean a zone with summer time to Node and a fixed offset to
 * PostgreSQL; offsets such as +09:00 count eastwards for one and westwards for the other.
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
