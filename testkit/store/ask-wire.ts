import assert from 'node:assert/strict';
import { answersIn, closed, converse, dial, type WireAnswer } from '../raw.js';

/** A request without a body, as sent over the connection. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  /** Headers, one per line. */
  readonly lines?: readonly string[];
  readonly version?: string;
}

/** Sends one request to a server on a new connection. */
export async function askWire(base: string, asked: Asked): Promise<WireAnswer> {
  const { method = 'GET', path = '/', lines = ['Host: x'], version = '1.1' } = asked;
  const head = [`${method} ${path} HTTP/${version}`, ...lines, 'Connection: close', '', ''];
  const text = head.join('\r\n');
  const answers = method === 'HEAD' ? [await headOf(base, text)] : await converse(base, text);
  assert.equal(answers.length, 1);
  return answers[0] as WireAnswer;
}

/** `converse` expects as many bytes as Content-Length says, but the answer to HEAD has no body. */
async function headOf(base: string, text: string): Promise<WireAnswer> {
  const socket = await dial(base);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.write(text);
  await closed(socket);
  const [answer] = answersIn(received.replace(/content-length: \d+/i, 'X-Length: 0'));
  assert.ok(answer);
  return answer;
}

/** Headers by name, with values that vary between requests replaced. */
export const steadyHeaders = (headers: WireAnswer['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'date' || name === 'last-modified'
        ? String(Number.isFinite(Date.parse(value)))
        : value
            .replace(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/, 'UUID')
            .replace(/max-age=\d+/, 'max-age=N'),
    ]),
  );
