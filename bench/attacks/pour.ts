import { connect } from 'node:net';
import { Tally } from '../../testkit/tally.js';

export interface Pouring {
  readonly head: string;
  /** Sent repeatedly. */
  readonly chunk: Uint8Array;
  /** Bytes after which sending stops. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Sends bodies as fast as they are accepted, and tallies the outcomes. */
export class Pour {
  readonly #answers = new Tally();
  #bytes = 0;

  /** Sends one body until its limit, the signal, or the peer ends it. */
  send(port: number, { head, chunk, limit, signal }: Pouring): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      const leave = (): void => void socket.destroy();
      let answer = 'none';
      signal.addEventListener('abort', leave);
      socket.setEncoding('latin1').on('data', (text: string) => {
        if (answer === 'none') answer = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? answer;
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        signal.removeEventListener('abort', leave);
        this.#bytes += socket.bytesWritten;
        this.#answers.note(answer);
        resolve();
      });
      let sent = 0;
      const send = (): void => {
        while (sent < limit && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk)) return;
        }
        socket.end();
      };
      socket.on('drain', send);
      socket.write(head);
      send();
    });
  }

  /** Megabytes accepted, and the responses. */
  toString(): string {
    const megabytes = Math.round(this.#bytes / 1024 / 1024);
    return `${megabytes} MB sent in ${this.#answers.total} bodies; responses: ${this.#answers.toString()}`;
  }
}

export const boundary = 'attack-boundary';
