import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One raw HTTP response. */
export interface WireAnswer {
  readonly status: number;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Opens a TCP connection to a service, for the caller to write and read. */
export async function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // `close` reports it
  await once(socket, 'connect');
  return socket;
}

/** Waits until a connection has closed for any reason. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

/** Sends raw text. @returns everything received until the other side closes. */
export async function converse(url: string, text: string): Promise<WireAnswer[]> {
  const socket = await dial(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text, 'latin1');
  await closed(socket);
  return answersIn(Buffer.concat(chunks).toString('latin1'));
}

/** The complete responses at the start of a stream, delimited by their lengths. */
export function answersIn(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let at = 0; ;) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return answers;
    const [first = '', ...lines] = text.slice(at, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
    if (text.length < end) return answers;
    const status = Number(first.split(' ')[1]);
    // 100 Continue is not a response.
    if (status >= 200) answers.push({ status, headers, body: text.slice(headEnd + 4, end) });
    at = end;
  }
}
