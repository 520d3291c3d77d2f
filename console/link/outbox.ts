import { Backoff } from '../core/backoff';
import { forget, keep, readKept } from '../core/kept';
import type { Kept } from '../core/kept';
import { newKey } from '../core/new-key';
import { ask, Refusal } from './api';
import { send } from './send';

export type State = 'waiting' | 'sending' | 'offline' | 'arrived' | 'refused';

export interface Entry {
  kept: Kept;
  state: State;
  /** Share that has been sent. */
  share: number;
  /** Share that need not be sent again. */
  durable: number;
}

/** Pictures sent at once. */
const atOnce = 2;

/** Pictures asked about at once. */
const askedAtOnce = 200;

const place = location.pathname.replace(/\/$/, '');

/** Sends what was chosen, one after the other, until all has arrived or was refused. */
export class Outbox {
  readonly entries: Entry[] = [];
  #running = 0;
  readonly #backoff = new Backoff();

  /**
   * @param changed after each change of an entry.
   * @param fail when the link itself refuses; nothing more is sent.
   */
  constructor(
    private readonly changed: (entry: Entry) => void,
    private readonly fail: (problem: unknown) => void,
  ) {}

  /** Goes on with what was chosen when the page was last open. */
  async resume(): Promise<void> {
    for (const kept of await readKept(place)) this.#enter(kept);
    await this.#confirm();
    this.#work();
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const kept = { key: newKey(), place, name: file.name, at: Date.now(), file };
      this.#enter(kept);
      void keep(kept);
    }
    this.#work();
  }

  remove(entry: Entry): void {
    this.entries.splice(this.entries.indexOf(entry), 1);
    void forget(entry.kept.key);
  }

  #enter(kept: Kept): void {
    const state = kept.receipt ? 'arrived' : kept.refusal !== undefined ? 'refused' : 'waiting';
    const entry: Entry = { kept, state, share: 0, durable: 0 };
    this.entries.push(entry);
    this.changed(entry);
  }

  /** Asks whether what has arrived is there: forgets the rest, such as of a link made anew. */
  async #confirm(): Promise<void> {
    const sent = this.entries.filter(({ state }) => state === 'arrived');
    for (let at = 0; at < sent.length; at += askedAtOnce) {
      const some = sent.slice(at, at + askedAtOnce);
      const ids = some.map(({ kept }) => kept.receipt).join(',');
      const { arrived } = await ask<{ arrived: string[] }>(`arrived?ids=${ids}`);
      for (const entry of some) {
        if (!arrived.includes(entry.kept.receipt ?? '')) this.remove(entry);
      }
    }
  }

  #work(): void {
    while (this.#running < atOnce) {
      const next = this.entries.find(({ state }) => state === 'waiting');
      if (!next) return;
      this.#running += 1;
      void this.#send(next).finally(() => {
        this.#running -= 1;
        this.#work();
      });
    }
  }

  async #send(entry: Entry): Promise<void> {
    const { file, ...rest } = entry.kept;
    if (!file) return;
    this.#set(entry, 'sending');
    try {
      const { name, key } = rest;
      const onShare = (share: number, isDurable: boolean): void => {
        if (isDurable && share > entry.durable) {
          this.#backoff.reset();
          entry.durable = share;
        }
        entry.share = share;
        this.changed(entry);
      };
      entry.kept = { ...rest, receipt: await send({ file, name, key, onShare }) };
      this.#backoff.reset();
      await keep(entry.kept);
      this.#set(entry, 'arrived');
    } catch (problem) {
      await this.#refused(entry, problem);
    }
  }

  async #refused(entry: Entry, problem: unknown): Promise<void> {
    if (!(problem instanceof Refusal) || problem.isOfLink) {
      this.#set(entry, 'offline'); // stays until the page is opened again
      this.fail(problem);
    } else if (problem.passes) {
      this.#set(entry, 'offline');
      await this.#backoff.pause(problem.retryAfterMs);
      this.#set(entry, 'waiting');
    } else {
      entry.kept = { ...entry.kept, file: undefined, refusal: problem.code };
      await keep(entry.kept);
      this.#set(entry, 'refused');
    }
  }

  #set(entry: Entry, state: State): void {
    entry.state = state;
    entry.share = 0;
    this.changed(entry);
  }
}
