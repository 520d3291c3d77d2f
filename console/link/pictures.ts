import { Refusal } from '../core/refusal';
import { addressOf, ask, isOfLink } from './api';
import type { Picture, PicturePage } from './api';
import { dateText, say, words } from './words';

const perPage = 60;

/** Addresses of files are renewed before they end, in milliseconds. */
const freshMs = 200_000;

/** A page as it was last asked for. */
interface Loaded {
  readonly cursor: string | null;
  asked: number;
  renewing?: Promise<void> | undefined;
}

/** The pictures of a link, as far as they have been asked for. */
export class Pictures {
  readonly all: Picture[] = [];
  readonly #pages: Loaded[] = [];
  readonly #pageOf = new Map<string, Loaded>();
  #next: string | null = '';

  /** Whether there are more. */
  get more(): boolean {
    return this.#next !== null;
  }

  /** The next page. @throws Refusal. */
  async load(): Promise<readonly Picture[]> {
    if (this.#next === null) return [];
    const page = { cursor: this.#next, asked: performance.now() };
    const { images, next } = await read(page.cursor);
    this.#pages.push(page);
    this.#next = next;
    // One that has moved to a later page meanwhile is not shown twice.
    const news = images.filter(({ id }) => !this.#pageOf.has(id));
    for (const { id } of news) this.#pageOf.set(id, page);
    this.all.push(...news);
    return news;
  }

  /** A picture whose addresses are valid for a while. @throws Refusal. */
  async fresh(picture: Picture, force = false): Promise<Picture> {
    const page = this.#pageOf.get(picture.id);
    if (!page || (!force && performance.now() - page.asked < freshMs)) return this.#now(picture);
    page.renewing ??= this.#renew(page).finally(() => (page.renewing = undefined));
    await page.renewing;
    return this.#now(picture);
  }

  #now = (picture: Picture): Picture => this.all.find(({ id }) => id === picture.id) ?? picture;

  async #renew(page: Loaded): Promise<void> {
    const { images } = await read(page.cursor);
    page.asked = performance.now();
    const renewed = new Map(images.map((image) => [image.id, image]));
    this.all.forEach((picture, i) => (this.all[i] = renewed.get(picture.id) ?? picture));
  }
}

const read = (cursor: string | null): Promise<PicturePage> =>
  ask(`images?limit=${perPage}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);

/** What an element shows. */
export interface Shown {
  readonly pictures: Pictures;
  readonly picture: Picture;
  /** Which of its files. */
  readonly of: (picture: Picture) => string;
  /** Shows why the link cannot be shown any more. */
  readonly fail: (problem: unknown) => void;
}

/** Shows a file of a picture in an element; once more with a new address if the old one has ended. */
export function fill(image: HTMLImageElement, { pictures, picture, of, fail }: Shown): void {
  let tried = false;
  image.onerror = () => {
    if (tried) return;
    tried = true;
    void pictures.fresh(picture, true).then(
      (renewed) => (image.src = addressOf(of(renewed))),
      (problem: unknown) => {
        // Otherwise it may be a moment without connection, and the other pictures stay.
        if (problem instanceof Refusal && isOfLink(problem)) fail(problem);
      },
    );
  };
  image.src = addressOf(of(picture));
}

/** The time that people know a picture by. */
export const timeOf = ({ taken_at, created_at }: Picture): string =>
  dateText(taken_at ?? created_at);

export const nameOf = (picture: Picture): string => say(words.picture, { date: timeOf(picture) });
