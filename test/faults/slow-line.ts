import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../../testkit/scope.js';

/** Not an answer yet. */
const proceed = 'HTTP/1.1 100 ';

/** What a line takes from a client that has no answer yet. */
const unansweredBytes = 4 * 2 ** 20;

/**
 * A line to a server that takes so many bytes a second from clients, and counts them. Beyond the first it
 * takes none until the server has answered, however long that takes.
 */
export class SlowLine {
  /** Bytes that clients have sent. */
  sent = 0;
  /** Connections so far. */
  connections = 0;

  private constructor(readonly url: string) {}

  static async to(scope: Scope, target: string, bytesPerSecond: number): Promise<SlowLine> {
    const open = new Set<Socket>();
    const join = (near: Socket): void => {
      const far = connect(Number(new URL(target).port), new URL(target).hostname);
      line.connections += 1;
      for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
        open.add(socket);
        socket.on('error', () => other.destroy()).on('close', () => open.delete(socket));
      }
      const answered = new Promise<void>((resolve) => {
        far.once('close', resolve);
        far.on('data', (bytes) => !bytes.toString('latin1').startsWith(proceed) && resolve());
      });
      let taken = 0;
      const slow = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          line.sent += chunk.length;
          taken += chunk.length;
          void delay((chunk.length / bytesPerSecond) * 1_000)
            .then(() => (taken < unansweredBytes ? undefined : answered))
            .then(() => done(null, chunk));
        },
      });
      near.pipe(slow).pipe(far);
      far.pipe(near);
    };
    const server = createServer({ allowHalfOpen: true }, join).listen(0, '127.0.0.1');
    await once(server, 'listening');
    scope.after(async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    const { port } = server.address() as AddressInfo;
    const line = new SlowLine(`http://127.0.0.1:${port}`);
    return line;
  }
}
