import type { IncomingMessage } from 'node:http';

/** A request target that includes its authority (RFC 9112, 3.2.2). */
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i;

/** Turns a target that includes its authority into a Host header and a path. */
export function useOriginForm(request: IncomingMessage): void {
  if (request.url?.startsWith('/')) return;
  const [, authority, target] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined) return;
  request.headers.host = authority;
  request.url = target?.startsWith('/') ? target : `/${target}`;
}

/** The path of a request target, not decoded. */
export function pathOf(target = ''): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** The query of a request target, without its question mark. */
export function queryOf(target = ''): string {
  const [whole = ''] = target.split('#', 1);
  const start = whole.indexOf('?');
  return start < 0 ? '' : whole.slice(start + 1);
}
