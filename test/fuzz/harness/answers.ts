/** One HTTP/1.1 answer as received. */
export interface WireAnswer {
  readonly status: number;
  /** By lowercase name; repeated ones are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** False if the connection ended before the answer. */
  readonly whole: boolean;
}

const blank = Buffer.from('\r\n\r\n');

/**
 * Reads the answers on a connection one after another, except interim ones (1xx).
 * @param head whether they answer HEAD requests and have no bodies.
 * @throws Error if the bytes are not HTTP.
 */
export function answersIn(bytes: Buffer, head = false): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(blank, at);
    if (end < 0) throw new Error(`a head without an end: ${excerpt(bytes.subarray(at))}`);
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    if (!status) throw new Error(`no status line: ${excerpt(bytes.subarray(at))}`);
    const headers = headersOf(lines);
    at = end + blank.length;
    if (status < 200) continue;
    const without = head || status === 204 || status === 304;
    const { body, next, whole } = without
      ? { body: Buffer.alloc(0), next: at, whole: true }
      : bodyAt(bytes, at, headers);
    answers.push({ status, headers, body, whole });
    at = next;
  }
  return answers;
}

export const excerpt = (bytes: Uint8Array): string =>
  JSON.stringify(Buffer.from(bytes.subarray(0, 200)).toString('latin1'));

function headersOf(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

interface Body {
  readonly body: Buffer;
  readonly next: number;
  readonly whole: boolean;
}

function bodyAt(bytes: Buffer, at: number, headers: ReadonlyMap<string, string>): Body {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedAt(bytes, at);
  const length = headers.get('content-length');
  const next = length === undefined ? bytes.length : at + Number(length);
  return { body: bytes.subarray(at, next), next, whole: next <= bytes.length };
}

function chunkedAt(bytes: Buffer, start: number): Body {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? NaN : Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    const whole = next <= bytes.length; // false for NaN
    if (!whole || size === 0) {
      return { body: Buffer.concat(chunks), next: whole ? next : bytes.length, whole };
    }
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = next;
  }
}
