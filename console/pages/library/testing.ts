import '../../testing/browser';
import type { Counted } from './buckets';
import type { Images } from './images';
import type { Page, Part, Source } from './listing';
import type { Image } from './listing';

const dateOf = (image: Image): number => Number(image.created_at.slice(0, 8));

/** A list that others change while it is looked at, and what has been asked of it. */
export class ChangingList {
  /** Newest first. */
  all: Image[] = [];
  readonly asked: string[] = [];
  /** Keeps answers until then. */
  held: Promise<void> | undefined;
  #version = 0;

  /** @param days the newest first, with how many images each has. */
  constructor(days: readonly (readonly [date: number, count: number])[]) {
    for (const [date, count] of days) {
      for (let n = 0; n < count; n += 1) this.all.push(imageOn(date, `${date}-${n}`));
    }
  }

  get ids(): string[] {
    return this.all.map(({ id }) => id);
  }

  /** Images arrive, each before the others of its day. */
  add(...images: Image[]): void {
    for (const image of images) {
      const at = this.all.findIndex((other) => dateOf(other) <= dateOf(image));
      this.all.splice(at < 0 ? this.all.length : at, 0, image);
    }
    this.#version += 1;
  }

  remove(...ids: string[]): void {
    this.all = this.all.filter(({ id }) => !ids.includes(id));
    this.#version += 1;
  }

  readonly source: Source = {
    key: 'list',
    dayOf: dateOf,
    days: async (known, signal) => {
      this.asked.push('days');
      await this.#arrive(signal);
      const tag = String(this.#version);
      return tag === known ? undefined : { days: this.#days(), tag };
    },
    page: async (part, signal) => {
      this.asked.push(nameOf(part));
      await this.#arrive(signal);
      return this.#page(part);
    },
    walk: (period) => {
      this.asked.push('walk');
      const found = this.all.filter((image) => isIn(period, image));
      return (async function* () {
        await Promise.resolve();
        yield found;
      })();
    },
  };

  async #arrive(signal: AbortSignal): Promise<void> {
    await this.held;
    signal.throwIfAborted();
  }

  #days(): Counted[] {
    const counts = new Map<number, number>();
    for (const image of this.all) {
      counts.set(dateOf(image), (counts.get(dateOf(image)) ?? 0) + 1);
    }
    return [...counts].map(([date, count]) => ({ date, count }));
  }

  #page({ period, offset, cursor, count, memos }: Part): Page {
    const within = this.all.filter((image) => isIn(period, image));
    const after = within.findIndex(({ id }) => id === cursor) + 1;
    const start = cursor === undefined ? offset : after;
    const images = within.slice(start, start + count);
    const isLast = start + count >= within.length;
    const next = isLast ? null : (images.at(-1)?.id ?? null);
    return { images, megabytes: within.length, next, memos };
  }
}

const isIn = (period: Part['period'], image: Image): boolean =>
  !period || (dateOf(image) >= period.from && dateOf(image) <= period.to);

const nameOf = ({ period, offset, cursor, count, memos }: Part): string =>
  `${period ? `${period.from}-${period.to}` : 'all'} ${cursor ? 'on' : offset}+${count}${memos ? ' memos' : ''}`;

export const imageOn = (date: number, id: string): Image =>
  ({
    id,
    taken_at: null,
    created_at: `${date}_120000`,
    path_url: id,
    resolution: '640x480',
  }) as Image;

/** Looks at a part of a list until it is there. */
export async function look(images: Images, first: number, end: number): Promise<void> {
  images.see(first, end);
  await settledIn(images, first, end);
}

/** Waits until a part of a list is there, and nothing else is being read. */
export async function settledIn(images: Images, first: number, end: number): Promise<void> {
  for (let calm = 0; calm < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const here = Array.from({ length: Math.min(end, images.total) - first }, (_, n) =>
      images.at(first + n),
    );
    calm = images.buckets && !here.includes(undefined) ? calm + 1 : 0;
  }
}
