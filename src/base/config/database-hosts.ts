/** The parts of a database URL before, in, and after the list of its hosts. */
function partsOf(url: string): [head: string, hosts: string, rest: string] {
  const [, head = url, hosts = '', rest = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? [];
  return [head, hosts, rest];
}

/** A URL for each host of a database URL, in its order; like libpq's, it may name several. */
export function urlsOfHosts(url: string): string[] {
  const [head, hosts, rest] = partsOf(url);
  return hosts.split(',').map((host) => `${head}${host}${rest}`);
}

/**
 * Whether a database URL names its hosts as imgstore and PostgreSQL's programs both understand them:
 * several with a port or without one, of which the one that takes writes is wanted.
 */
export function namesHostsWell(url: string): boolean {
  const [, hosts, rest] = partsOf(url);
  const parameters = new URLSearchParams(rest.split('?')[1] ?? '');
  if (['host', 'port'].some((name) => parameters.get(name)?.includes(','))) return false;
  if (!hosts.includes(',')) return true;
  return (
    hosts.split(',').every((host) => /^([^:]+|\[[^\]]+\])(:\d{1,5})?$/.test(host)) &&
    !parameters.has('host') &&
    !parameters.has('port') &&
    parameters.get('target_session_attrs') === 'read-write'
  );
}
