/** The zone of this machine; UTC when it has none that both Node and PostgreSQL know alike. */
export function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return knownZone(timeZone) === undefined ? timeZone : 'UTC';
}

/**
 * Names without a region, such as CET, mean a zone with summer time to Node and a fixed offset to
 * PostgreSQL; offsets such as +09:00 count eastwards for one and westwards for the other.
 */
export function knownZone(zone: string): string | undefined {
  const expected = 'an IANA time zone with its region, such as Asia/Seoul, or UTC';
  if (zone !== 'UTC' && !/^[A-Za-z]\w*(\/[\w+-]+)+$/.test(zone)) return expected;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return expected;
  }
}

/** A URL with one of these schemes; answers what is expected instead, as all checks here do. */
export const urlOf =
  (...schemes: string[]) =>
  (value: string): string | undefined =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol)
      ? undefined
      : `a URL that starts with ${schemes.map((s) => `${s}//`).join(' or ')}`;

/** A URL that names a server and nothing on it. */
export const originOf = (value: string): string | undefined =>
  urlOf('http:', 'https:')(value) === undefined && /^https?:\/\/[^/?#@]+\/?$/.test(value)
    ? undefined
    : 'a URL of scheme, host and port alone, such as https://s3.example.com';

/** A unix socket is an empty host (`postgresql://user@/name?host=/run/postgresql`): not for URL. */
export const postgresUrl = (value: string): string | undefined =>
  /^postgres(ql)?:\/\/\S+$/.test(value) ? undefined : 'a URL that starts with postgresql://';
