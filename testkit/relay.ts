import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a relay does with the data that passes through it. */
export type RelayMode = 'pass' | 'hang' | 'drop-answers';

/** The number of bytes, both directions together, that a connection carries before it breaks. */
export type Lifetime = () => number;

/** A TCP relay to a server that can stall, lose responses, or break connections, as networks do. */
export class Relay {
  mode: RelayMode = 'pass';
  /** Number of connections so far. */
  connections = 0;
  /** Number of connections that broke because their byte limit was reached. */
  cuts = 0;
  /** Number of bytes that it has carried to the server. */
  sent = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
    private readonly lifetime: Lifetime,
  ) {}

  static to(target: string, lifetime?: Lifetime): Promise<Relay> {
    const { hostname, port } = new URL(target);
    return Relay.#start(() => connect(Number(port), hostname), lifetime);
  }

  static toSocket(path: string): Promise<Relay> {
    return Relay.#start(() => connect(path));
  }

  static async #start(dial: () => Socket, lifetime: Lifetime = () => Infinity): Promise<Relay> {
    const server = createServer((near) => relay.#join(near, dial()));
    const relay = new Relay(server, await listening(server, 0), lifetime);
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Breaks every connection and accepts no new ones. */
  async cut(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
  }

  /** Accepts connections again, at the same URL. */
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
    let left = this.lifetime();
    const pass = (bytes: Buffer, to: Socket): void => {
      if (left < 0) return;
      const part = bytes.subarray(0, left);
      left -= bytes.length;
      if (to === far) this.sent += part.length;
      to.write(part, () => left < 0 && near.destroy());
      if (left < 0) this.cuts += 1;
    };
    near.on('data', (bytes: Buffer) => {
      if (this.mode !== 'hang') pass(bytes, far);
    });
    far.on('data', (bytes: Buffer) => {
      if (this.mode === 'pass') pass(bytes, near);
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
