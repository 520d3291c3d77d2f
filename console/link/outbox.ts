import { forget, keep, readKept } from '../core/kept';
import type { Kept } from '../core/kept';
import { newKey } from '../core/new-key';
import { Refusal } from '../core/refusal';
import { send } from '../core/sending';
import { addressOf, ask, isOfLink, page } from './api';

export type State = 'waiting' | 'sending' | 'offline' | 'arrived' | 'refused';

/** A picture, what it looks like, and from whom it is. */
interface KeptPicture extends Kept {
  readonly preview?: Blob | undefined;
  readonly sender?: string | undefined;
}

export interface Entry {
  kept: KeptPicture;
  state: State;
  /** Share that has been sent. */
  share: number;
  /** Whether it was sent when the page was last open. */
  readonly isBegun: boolean;
}

/** Pictures sent at once. */
const atOnce = 2;

/** Pictures asked about at once. */
const askedAtOnce = 200;

/** Sends what was chosen, one after the other, until all has arrived or was refused. */
export class Outbox {
  readonly entries: Entry[] = [];
  #running = 0;

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
    for (const kept of await readKept<KeptPicture>(page)) this.#enter(kept, true);
    await this.#confirm();
    this.#work();
  }

  /** @param sender what the visitor calls himself, if anything. */
  add(files: Iterable<File>, sender: string | undefined): void {
    for (const file of files) {
      const about = { key: newKey(), place: page, name: file.name, at: Date.now() };
      const entry = this.#enter({ ...about, file, sender });
      void this.#keep(entry, {});
      void previewOf(file).then((preview) => preview && this.#keep(entry, { preview }));
    }
    this.#work();
  }

  remove(entry: Entry): void {
    this.entries.splice(this.entries.indexOf(entry), 1);
    void forget(entry.kept.key);
  }

  #enter(kept: KeptPicture, isBegun = false): Entry {
    const state = kept.receipt ? 'arrived' : kept.refusal !== undefined ? 'refused' : 'waiting';
    const entry: Entry = { kept, state, share: 0, isBegun };
    this.entries.push(entry);
    this.changed(entry);
    return entry;
  }

  /** Notes what has become of a picture, which need not be kept once it has arrived or was refused. */
  async #keep(entry: Entry, more: Partial<KeptPicture>): Promise<void> {
    entry.kept = { ...entry.kept, ...more };
    this.changed(entry);
    if (this.entries.includes(entry)) await keep(entry.kept);
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
    const { file, key, name, sender } = entry.kept;
    if (!file) return;
    const sent = { file, key, fields: { filename: name, sender }, isBegun: entry.isBegun };
    try {
      const receipt = await send({ at: addressOf('uploads') }, sent, {
        onAttempt: () => this.#set(entry, 'sending'),
        onSent: (bytes) => {
          entry.share = bytes / file.size;
          this.changed(entry);
        },
        onPause: () => this.#set(entry, 'offline'),
      });
      await this.#keep(entry, { file: undefined, receipt });
      this.#set(entry, 'arrived');
    } catch (problem) {
      if (!(problem instanceof Refusal) || isOfLink(problem)) {
        this.#set(entry, 'offline'); // stays until the page is opened again
        this.fail(problem);
      } else {
        await this.#keep(entry, { file: undefined, refusal: problem.code });
        this.#set(entry, 'refused');
      }
    }
  }

  #set(entry: Entry, state: State): void {
    entry.state = state;
    entry.share = 0;
    this.changed(entry);
  }
}

/** Pixels of the longer side of what shows what is sent, and how good it is. */
const side = 240;
const quality = 0.7;

/** One picture is decoded at a time: those of cameras take a hundred megabytes. */
let turn: Promise<unknown> = Promise.resolve();

/** A small picture of a file; undefined where the browser does not know its format. */
function previewOf(file: Blob): Promise<Blob | undefined> {
  const preview = turn.then(() => draw(file)).catch(() => undefined);
  turn = preview;
  return preview;
}

async function draw(file: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width * scale, bitmap.height * scale];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) =>
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', quality),
  );
}
