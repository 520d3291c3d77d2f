import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../base/errors/catalogue.js';
import { guarded, ignore } from '../base/guarded.js';
import { bytesPerMegabyte } from '../base/units.js';

/** Limits on the size and duration of a body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Milliseconds within which the body, or each next chunk of it, must arrive. */
  readonly ms: number;
  readonly per: 'body' | 'chunk';
  /** Ends the body where it is, as though the client had left. */
  readonly until?: AbortSignal;
}

/** A body that was cut off, or is not a valid form. */
export const interrupted = (cause: unknown): ServiceError =>
  new ServiceError('upload_interrupted', {
    message: 'The request body was cut off, arrived too slowly, or is malformed.',
    cause,
  });

const sizeText = (bytes: number): string =>
  bytes < bytesPerMegabyte ? `${bytes / 1024} KB` : `${bytes / bytesPerMegabyte} MB`;

export const bodyTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The request body is larger than the ${sizeText(limit)} accepted here.`,
  });

/**
 * Bytes of a body that may wait for its reader, about; the rest waits on the connection. With less, the
 * socket would have to be stopped and started for every chunk.
 */
const waitingBytes = 256 * 1024;

/** The chunks of a body as they arrive, without the cost of a stream in between. */
class Arrivals {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #changed: () => void = ignore;
  readonly #leave: () => void;

  constructor(private readonly request: IncomingMessage) {
    const add = guarded(ignore, (chunk: Buffer) => this.#add(chunk));
    const end = guarded(ignore, () => this.end());
    request.on('data', add);
    request.once('end', end);
    this.#leave = () => void request.off('data', add).off('end', end);
  }

  /** Undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0 && !this.#ended) {
      this.request.resume();
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
    const chunk = this.#chunks.shift();
    this.#bytes -= chunk?.length ?? 0;
    return chunk;
  }

  /** Takes nothing more, and leaves the rest on the connection. */
  end(): void {
    this.#ended = true;
    this.#leave();
    this.request.pause();
    this.#changed();
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= waitingBytes) this.request.pause();
    this.#changed();
  }
}

/**
 * The body of a request, chunk by chunk, counted as it arrives. If the consumer stops early, the
 * rest stays on the connection, so that a response can still be sent.
 * @throws ServiceError `upload_too_large`, `upload_interrupted`.
 */
export async function* bodyChunks(
  request: IncomingMessage,
  limits: BodyLimits,
): AsyncGenerator<Buffer, void> {
  if (request.destroyed || limits.until?.aborted) throw gone();
  const arrivals = new Arrivals(request);
  let early: ServiceError | undefined;
  // What has arrived by then is read first: an upload that resumes keeps it.
  const endEarly = (error: ServiceError): void => {
    early ??= error;
    arrivals.end();
  };
  const fail = (error: unknown): void => endEarly(interrupted(error));
  const late = guarded(fail, () => endEarly(interrupted(new Error('the client sends too slowly'))));
  const leave = guarded(fail, () => {
    if (!request.complete) endEarly(gone());
  });
  const end = guarded(fail, () => endEarly(interrupted(limits.until?.reason)));
  let timer = setTimeout(late, limits.ms);
  let bytes = 0;
  request.once('close', leave);
  limits.until?.addEventListener('abort', end);
  try {
    for (let chunk; (chunk = await arrivals.next());) {
      if (limits.per === 'chunk') clearTimeout(timer); // the consumer's time does not count against the client
      bytes += chunk.length;
      if (bytes > limits.bytes) throw bodyTooLarge(limits.bytes);
      yield chunk;
      if (limits.per === 'chunk' && !early) timer = setTimeout(late, limits.ms);
    }
    if (early) throw early;
  } finally {
    clearTimeout(timer);
    request.off('close', leave);
    limits.until?.removeEventListener('abort', end);
    arrivals.end();
  }
}

const gone = (): ServiceError => interrupted(new Error('the connection closed'));

/** Reads a whole body into memory. @throws as {@link bodyChunks}. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(request, limits)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The name of a file in bytes, and their charset if the part says. */
interface FileName {
  readonly bytes: Buffer;
  readonly charset?: string;
}

/** One part of a form. */
export interface Part {
  /** Undefined if it has none, which RFC 7578 does not allow. */
  readonly name: string | undefined;
  /** Undefined if it has none: it is no file, then. */
  readonly fileName: FileName | undefined;
  /** Media type in lowercase; empty if the part does not say. */
  readonly type: string;
  readonly charset: string | undefined;
  /** In lowercase; empty if the part does not say. */
  readonly transferEncoding: string;
  /** What is not read of it is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** More than any part needs: a part has about three headers. */
const maxHeaderBytes = 16 * 1024;

/** Whitespace allowed after a boundary, in bytes. */
const maxPadding = 1024;

const lineEnd = Buffer.from('\r\n');
const dash = 0x2d;

/** What follows a boundary. */
type Delimiter = 'part' | 'end' | 'none';

/** Bytes that have arrived and are still needed. */
class Window {
  bytes: Buffer = lineEnd; // a delimiter begins with one, but the first may begin the body

  constructor(private readonly chunks: AsyncIterator<Buffer, void>) {}

  /** @returns whether anything has arrived. */
  async extend(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    if (done === true) return false;
    this.bytes = this.bytes.length === 0 ? value : Buffer.concat([this.bytes, value]);
    return true;
  }

  /** @throws ServiceError `upload_interrupted` at the end of the body. */
  async need(length: number): Promise<void> {
    while (this.bytes.length < length) {
      if (!(await this.extend())) throw interrupted(new Error('the form has no end'));
    }
  }

  take(length: number): Buffer {
    const taken = this.bytes.subarray(0, length);
    this.bytes = this.bytes.subarray(length);
    return taken;
  }
}

/**
 * The parts of a multipart body (RFC 2046, section 5.1.1), read one after the other. Nothing is
 * read ahead, and no more than a chunk and a header are held.
 * @throws ServiceError `upload_interrupted` for a body that is not well-formed.
 */
export async function* readParts(
  body: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Part, void> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  const window = new Window(chunks);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const end = { reached: false };
  const until = (): AsyncGenerator<Buffer, void> => contentUntil(delimiter, window, end);
  try {
    await skip(until());
    while (!end.reached) {
      const headers = await readHeaders(window);
      const content = until();
      yield { ...describe(headers), content };
      await skip(content);
    }
    window.bytes = Buffer.alloc(0);
    while (await window.extend()) window.bytes = Buffer.alloc(0); // the epilogue
  } finally {
    await chunks.return?.();
  }
}

async function skip(content: AsyncIterator<Buffer, void>): Promise<void> {
  while ((await content.next()).done !== true);
}

/** Yields what precedes the next delimiter, and consumes the delimiter. */
async function* contentUntil(
  delimiter: Buffer,
  window: Window,
  end: { reached: boolean },
): AsyncGenerator<Buffer, void> {
  let from = 0;
  for (;;) {
    const at = window.bytes.indexOf(delimiter, from);
    if (at < 0) {
      const kept = partialMatch(window.bytes, delimiter);
      if (kept > 0) yield window.take(kept);
      from = 0;
      await window.need(window.bytes.length + 1);
      continue;
    }
    if (at > 0) yield window.take(at);
    const kind = await delimiterKind(window, delimiter.length);
    if (kind !== 'none') {
      end.reached = kind === 'end';
      return;
    }
    from = 1; // the beginning of a longer line
  }
}

/** Where the beginning of a delimiter may begin at the end of these bytes. */
function partialMatch(bytes: Buffer, delimiter: Buffer): number {
  let at = bytes.indexOf('\r', Math.max(bytes.length - delimiter.length + 1, 0));
  while (at >= 0 && !delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) {
    at = bytes.indexOf('\r', at + 1);
  }
  return at < 0 ? bytes.length : at;
}

/** Determines whether a line that begins like a delimiter is one; if so, consumes it. */
async function delimiterKind(window: Window, length: number): Promise<Delimiter> {
  let at = length;
  await window.need(at + 2);
  if (window.bytes[at] === dash && window.bytes[at + 1] === dash) {
    window.take(at + 2);
    return 'end';
  }
  // RFC 2046: "The boundary may be followed by zero or more characters consisting of linear
  // whitespace."
  while (window.bytes[at] === 0x20 || window.bytes[at] === 0x09) {
    at += 1;
    if (at > length + maxPadding) return 'none';
    await window.need(at + 2);
  }
  if (!window.bytes.subarray(at, at + 2).equals(lineEnd)) return 'none';
  window.take(at); // the line end begins the headers, or ends them if there are none
  return 'part';
}

/** The header lines of a part, unfolded. */
async function readHeaders(window: Window): Promise<string[]> {
  let from = 0;
  for (;;) {
    const at = window.bytes.indexOf('\r\n\r\n', from);
    if ((at < 0 ? window.bytes.length : at) > maxHeaderBytes) {
      throw interrupted(new Error('the headers of a part are too long'));
    }
    if (at >= 0) {
      const block = window.take(at + 4).subarray(0, at);
      return block
        .toString('latin1')
        .replace(/\r\n(?=[ \t])/g, '')
        .split('\r\n')
        .filter((line) => line !== '');
    }
    from = Math.max(window.bytes.length - 3, 0);
    await window.need(window.bytes.length + 1);
  }
}

function describe(lines: readonly string[]): Omit<Part, 'content'> {
  const header = (name: string): string =>
    lines
      .find((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name)
      ?.slice(name.length)
      .replace(/^[^:]*:/, '') ?? '';
  const [disposition, about] = valueAndParameters(header('content-disposition'));
  const [type, parameters] = valueAndParameters(header('content-type'));
  const name = disposition === 'form-data' ? about.get('name') : undefined;
  return {
    name: name === undefined ? undefined : Buffer.from(name, 'latin1').toString(),
    fileName: fileNameIn(about),
    type,
    charset: parameters.get('charset'),
    transferEncoding: header('content-transfer-encoding').trim().toLowerCase(),
  };
}

/** `charset'language'value`, its bytes with percent signs (RFC 8187). */
const extended = /^([^']*)'[^']*'(.*)$/;

/** What browsers escape in a file name, and nothing else (WHATWG HTML, multipart/form-data). */
const escaped = new Map([
  ['%22', '"'],
  ['%0D', '\r'],
  ['%0A', '\n'],
]);

/** The extended form comes first: whoever sends it means it. */
function fileNameIn(about: ReadonlyMap<string, string>): FileName | undefined {
  const [, charset, value] = extended.exec(about.get('filename*') ?? '') ?? [];
  if (charset !== undefined && value !== undefined) {
    const bytes = value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    return { bytes: Buffer.from(bytes, 'latin1'), charset };
  }
  const plain = about.get('filename') ?? about.get('filename*');
  const text = plain?.replace(/%(?:22|0D|0A)/g, (code) => escaped.get(code) ?? code);
  return text === undefined ? undefined : { bytes: Buffer.from(text, 'latin1') };
}

/** `; name=value` or `; name="value"`, where clients rarely escape anything but quotes. */
const parameter = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;"]*))/y;

/** A header value in lowercase, and its parameters by their names in lowercase. */
export function valueAndParameters(header: string): [string, ReadonlyMap<string, string>] {
  const [value = ''] = header.split(';', 1);
  const parameters = new Map<string, string>();
  parameter.lastIndex = value.length;
  for (let found; (found = parameter.exec(header));) {
    const [, name = '', quoted, plain = ''] = found;
    const text = quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim();
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), text);
  }
  return [value.trim().toLowerCase(), parameters];
}
