import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Line } from '../../testkit/line.js';
import { Random } from '../../testkit/random.js';
import type { CreatedUser } from '../../testkit/records.js';
import type { Scope } from '../../testkit/scope.js';
import { Browsers } from './browser.js';
import { makeFile } from './files.js';
import { uploadFrom, type Phone } from './phone.js';
import { Watch } from './watch.js';

export interface SendingOptions {
  /** URLs of the nodes; those that are down are skipped. */
  readonly nodes: () => readonly string[];
  readonly owners: readonly CreatedUser[];
  readonly clients: number;
  /** How many of the clients are pages in a browser. */
  readonly pages: number;
  /** The size of a file in megabytes, by a number from 0 to 1. */
  readonly megabytes: (part: number) => number;
  /** Folder for the files. */
  readonly folder: string;
  readonly bytesPerSecond: number;
  /** A line is cut after a time between these, again and again, in milliseconds. */
  readonly cuts: readonly [shortest: number, longest: number];
  /** Whether nodes are not told of every other cut, as of a phone that lost its network. */
  readonly silently: boolean;
  /** Clients begin within so many milliseconds. */
  readonly withinMs: number;
  readonly retryDelays: readonly number[];
}

/** A phone whose client reported that its file is stored. */
export interface Stored {
  readonly phone: Phone;
  readonly imageId: string | undefined;
}

/** Phones that send a file each, over lines of their own that break. */
export class Sending {
  readonly watch = new Watch();
  readonly stored: Stored[] = [];

  private constructor(
    readonly phones: readonly Phone[],
    private readonly browsers: Browsers | undefined,
    private readonly options: SendingOptions,
    private readonly random: Random,
  ) {}

  static async prepare(scope: Scope, options: SendingOptions): Promise<Sending> {
    const { clients, pages, owners, nodes, folder, megabytes, bytesPerSecond, cuts, silently } =
      options;
    const random = new Random(30);
    const between = ([from, to]: readonly [number, number]): number =>
      from + random.below(to - from + 1);
    await mkdir(folder, { recursive: true });
    const phones: Phone[] = [];
    for (let n = 0; n < clients; n += 1) {
      const file = await makeFile(folder, `${n}.jpg`, megabytes(random.below(1_000) / 1_000));
      const line = await Line.to(nodes, {
        bytesPerSecond,
        untilCut: () => between(cuts),
        silently: () => silently && random.below(2) === 0,
      });
      scope.after(() => line.close());
      phones.push({ owner: owners[n % owners.length] as CreatedUser, file, line });
    }
    const browsers = pages > 0 ? await Browsers.open(scope) : undefined;
    return new Sending(phones, browsers, options, random);
  }

  /** Resolves when all clients have ended, however they did. */
  async all(signal: AbortSignal): Promise<void> {
    await Promise.all(this.phones.map((phone, n) => this.#send(phone, n, signal)));
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.phones.reduce((sum, { file }) => sum + file.bytes, 0);
  }

  /** Bytes that entered the lines towards the nodes: bodies, and headers as well. */
  get sent(): number {
    return this.phones.reduce((sum, { line }) => sum + line.sent, 0);
  }

  get cuts(): number {
    return this.phones.reduce((sum, { line }) => sum + line.cuts, 0);
  }

  async #send(phone: Phone, n: number, signal: AbortSignal): Promise<void> {
    const { pages, retryDelays, withinMs } = this.options;
    const { browsers, watch } = this;
    try {
      await delay(this.random.below(withinMs), undefined, { signal });
      const imageId =
        browsers && n < pages
          ? await browsers.upload(phone, watch, retryDelays, signal)
          : await uploadFrom(phone, watch, retryDelays, signal);
      this.stored.push({ phone, imageId });
    } catch (error) {
      watch.findings.push(`client ${n} gave up: ${(error as Error).message.slice(0, 300)}`);
    }
  }
}
