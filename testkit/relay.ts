import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** What a relay does with the data that passes through it. */
export type RelayMode = 'pass' | 'hang' | 'drop-answers';

/** A connection to a server that can fall silent, lose responses, or break, as networks do. */
export class Relay {
  mode: RelayMode = 'pass';
  /** Connections made so far. */
  connections = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static to(target: string): Promise<Relay> {
    const { hostname, port } = new URL(target);
    return Relay.#start(() => connect(Number(port), hostname));
  }

  static toSocket(path: string): Promise<Relay> {
    return Relay.#start(() => connect(path));
  }

  static async #start(dial: () => Socket): Promise<Relay> {
    const server = createServer((near) => relay.#join(near, dial()));
    const relay = new Relay(server, await listening(server, 0));
    return relay;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Breaks every connection and accepts no new ones. */
  async cut(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
  }

  /** Accepts connections again, at the same address. */
  async reconnect(): Promise<void> {
    await listening(this.server, this.port);
  }

  #join(near: Socket, far: Socket): void {
    this.connections += 1;
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.on('data', (bytes) => this.mode !== 'hang' && far.write(bytes));
    far.on('data', (bytes) => {
      if (this.mode === 'pass') near.write(bytes);
      if (this.mode === 'drop-answers') {
        this.mode = 'pass';
        near.destroy();
      }
    });
  }
}

async function listening(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
