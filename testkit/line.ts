import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LineOptions {
  /** What the line carries towards the servers, over all of its connections. */
  readonly bytesPerSecond: number;
  /** Milliseconds until the next cut, asked again after each. */
  readonly untilCut: () => number;
  /** Whether the servers are not told of the next cut, as of a phone that lost its network. */
  readonly silently?: () => boolean;
}

/** The bytes that enter the line at a time: a cut loses no more of what was sent and not carried. */
const packetBytes = 16 * 1024;

/**
 * The line of one phone to servers that stand for each other: narrow in the direction of uploads, and
 * cut again and again.
 */
export class Line {
  /** Bytes that entered the line towards the servers, headers and what a cut lost included. */
  sent = 0;
  /** Cuts that broke a connection. */
  cuts = 0;
  /** Both ends of each connection; the near one is the phone's. */
  readonly #open = new Map<Socket, Socket>();
  /** Ends at servers that were not told of a cut. */
  readonly #abandoned = new Set<Socket>();
  #freeAt = 0;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: Server,
    private readonly targets: () => readonly string[],
    private readonly options: LineOptions,
  ) {
    this.#cutLater();
  }

  /** @param targets URLs of the servers; the first that answers is taken, beginning with the next. */
  static async to(targets: () => readonly string[], options: LineOptions): Promise<Line> {
    const server = createServer((near) => void line.#join(near));
    const line = new Line(server, targets, options);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#break(false);
    for (const far of this.#abandoned) far.destroy();
    await once(this.server.close(), 'close');
  }

  #cutLater(): void {
    this.#timer = setTimeout(() => {
      if (this.#open.size > 0) this.cuts += 1;
      this.#break(this.options.silently?.() ?? false);
      this.#cutLater();
    }, this.options.untilCut());
  }

  #break(silently: boolean): void {
    for (const [near, far] of this.#open) {
      this.#open.delete(near);
      near.destroy();
      if (silently) this.#abandoned.add(far.once('close', () => this.#abandoned.delete(far)));
      else far.destroy();
    }
  }

  async #join(near: Socket): Promise<void> {
    near.on('error', () => undefined);
    const far = await this.#dial();
    if (!far || near.destroyed) {
      near.destroy();
      far?.destroy();
      return;
    }
    this.#open.set(near, far);
    far.on('error', () => undefined).once('close', () => near.destroy());
    far.on('data', (bytes: Buffer) => void (near.writable && near.write(bytes)));
    try {
      for await (const bytes of near) await this.#carry(bytes as Buffer, near, far);
      far.end();
    } catch {
      // The phone or a cut broke it.
      if (this.#open.delete(near)) far.destroy();
    }
  }

  async #carry(bytes: Buffer, near: Socket, far: Socket): Promise<void> {
    for (let at = 0; at < bytes.length && !near.destroyed; at += packetBytes) {
      const packet = bytes.subarray(at, at + packetBytes);
      this.sent += packet.length;
      const now = performance.now();
      const { bytesPerSecond } = this.options;
      this.#freeAt = Math.max(now, this.#freeAt) + (packet.length * 1_000) / bytesPerSecond;
      await delay(this.#freeAt - now);
      if (near.destroyed || !far.writable) return;
      if (!far.write(packet)) await Promise.race([once(far, 'drain'), once(far, 'close')]);
    }
  }

  async #dial(): Promise<Socket | undefined> {
    const urls = this.targets();
    this.#turn += 1;
    for (let tried = 0; tried < urls.length; tried += 1) {
      const { hostname, port } = new URL(urls[(this.#turn + tried) % urls.length] ?? '');
      const far = connect(Number(port), hostname);
      const isOpen = await once(far, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return far;
    }
    return undefined;
  }
}
