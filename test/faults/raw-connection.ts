import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response in the envelope, as received over a connection. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly code?: string;
  readonly field?: string;
  readonly result: unknown;
}

/** A connection over which a test sends arbitrary bytes. */
export class RawConnection {
  #received = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.#received += text));
    socket.on('error', () => undefined); // a reset shows as a missing response
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Everything that has been received. */
  get received(): string {
    return this.#received;
  }

  /** True once a response has begun or the connection is gone. */
  get done(): boolean {
    return this.#received !== '' || this.socket.destroyed;
  }

  /** Sends bytes, and waits until the kernel has accepted them. */
  async send(bytes: Uint8Array | string): Promise<void> {
    if (this.socket.destroyed) return;
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Sends a chunk of a body with `Transfer-Encoding: chunked`. */
  async sendChunk(bytes: Uint8Array): Promise<void> {
    await this.send(`${bytes.length.toString(16)}\r\n`);
    await this.send(bytes);
    await this.send('\r\n');
  }

  /** @throws Error when the connection ends without an answer. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const found = parse(this.#received);
      if (found) return found;
      if (this.socket.destroyed) throw new Error(`no answer, but: ${this.#received}`);
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
  }

  /** Waits until the other side closes the connection. */
  async ended(): Promise<void> {
    if (!this.socket.destroyed) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.destroy();
  }
}

function parse(text: string): RawAnswer | undefined {
  const [head = '', ...rest] = text.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '').split('\r\n\r\n');
  const lines = head.split('\r\n');
  const headers = new Map(
    lines.slice(1).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = rest.join('\r\n\r\n');
  if (!headers.has('content-length')) return undefined;
  if (Buffer.byteLength(body) < Number(headers.get('content-length'))) return undefined;
  const { result, error } = JSON.parse(body) as {
    result: unknown;
    error?: { code: string; field?: string };
  };
  return { status: Number(lines[0]?.split(' ')[1]), headers, result, ...error };
}

/** Sends a request with its whole body on a new connection. */
export async function exchange(
  url: string,
  head: string,
  body: Uint8Array | string,
): Promise<RawAnswer> {
  const connection = await RawConnection.open(url);
  try {
    const bytes = Buffer.from(body);
    await connection.send(`${head}\r\nHost: x\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    await connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.close();
  }
}
