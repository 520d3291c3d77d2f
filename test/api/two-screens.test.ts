import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { done } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm } from '../../testkit/long-form.js';
import { Random } from '../../testkit/random.js';
import type { Image, NumberedPage } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

// Two screens of the same user, with one token, read lists while these change at random: whatever was read
// before, an index and a page number are positions in the list as it is, and a cursor misses nothing. A run
// that failed is repeated with IMGSTORE_TEST_SEED=N.

const seed = Number(process.env.IMGSTORE_TEST_SEED ?? randomInt(2 ** 31));
const steps = longForm ? 10_000 : 200;
/** How many images there are, about. */
const usual = 40;

const service = await testService();

const middle = { latitude: '37.5', longitude: '127' };

interface Kept {
  readonly id: string;
  readonly created: string;
  readonly taken: string | undefined;
  readonly hasDet: boolean;
  readonly word: string;
  /** How far to the north of the middle; undefined if it has no place. */
  readonly away: number | undefined;
  trashed: boolean;
}

interface List {
  readonly query: Record<string, string>;
  readonly has: (image: Kept) => boolean;
  /** What it is sorted by, before the id. */
  readonly key: (image: Kept) => string;
  readonly ascending?: true;
}

const created = ({ created }: Kept): string => created;
const taken = (image: Kept): string => image.taken ?? image.created;

const lists: readonly [List, ...List[]] = [
  { query: {}, has: () => true, key: created },
  { query: { has_delete_at: 'True' }, has: ({ trashed }) => trashed, key: created },
  {
    query: { has_delete_at: 'False', sort_by: 'taken_at' },
    has: ({ trashed }) => !trashed,
    key: taken,
  },
  {
    query: { has_delete_at: 'False', has_det: 'True', sort_order: 'asc' },
    has: ({ trashed, hasDet }) => !trashed && hasDet,
    key: created,
    ascending: true,
  },
  {
    query: { search: 'heron', search_type: 'filename' },
    has: ({ word }) => word === 'heron',
    key: created,
  },
  {
    query: { ...middle, view_type: 'map', has_delete_at: 'False' },
    has: ({ trashed, away }) => !trashed && away !== undefined,
    key: ({ away = 0 }) => String(away),
    ascending: true,
  },
];

/** As the platform reads them, by number. */
const ofPlatform: List = { query: {}, has: () => true, key: created };

/** A list that is being read by cursor. */
interface Walk {
  readonly list: List;
  cursor?: string | undefined;
  /** What was there from the first page on, and was not shown yet. */
  readonly due: Set<string>;
  readonly seen: Set<string>;
}

const idsOf = ({ items }: { readonly items: readonly Image[] }): string[] =>
  items.map(({ id }) => id);

/** The images of a user as they have to be. */
class Model {
  readonly #images = new Map<string, Kept>();

  constructor(
    readonly user: Member,
    readonly random: Random,
  ) {}

  /** A few instants only: many images are told apart by their ids. */
  #time(): string {
    return new Date(Date.UTC(2025, 0, 1, 0, 0, this.random.below(usual / 2))).toISOString();
  }

  ids({ has, key, ascending }: List): string[] {
    const line = (image: Kept): string => `${key(image)} ${image.id}`;
    const sorted = [...this.#images.values()]
      .filter(has)
      .sort((a, b) => (line(a) < line(b) ? -1 : 1));
    if (!ascending) sorted.reverse();
    return sorted.map(({ id }) => id);
  }

  async change(): Promise<void> {
    const image = this.random.of([...this.#images.values()]);
    const act = this.random.below(2 * usual);
    if (!image || act >= this.#images.size) await this.#insert();
    else if (!image.trashed) await this.#trash(image, true);
    else if (this.random.below(3) === 0) await this.#trash(image, false);
    else await this.#remove(image);
  }

  async #insert(): Promise<void> {
    const { random } = this;
    const image = {
      created: this.#time(),
      taken: random.below(2) ? this.#time() : undefined,
      hasDet: random.below(3) > 0,
      word: random.of(['heron', 'grebe']),
      away: random.below(2) ? random.below(10) : undefined,
    };
    const row = {
      created_at: image.created,
      has_det: image.hasDet,
      filename: `${image.word}.jpg`,
      ...(image.taken && { taken_at: image.taken }),
      ...(image.away !== undefined && { place: [37.5 + image.away / 100, 127] as const }),
    };
    const [id = ''] = await seedImages(service, this.user, [row]);
    this.#images.set(id, { ...image, id, trashed: false });
  }

  async #trash(image: Kept, trashed: boolean): Promise<void> {
    done(await this.user.put(`/images/${image.id}`, { delete: trashed ? 'True' : 'False' }));
    image.trashed = trashed;
  }

  async #remove({ id }: Kept): Promise<void> {
    done(await this.user.delete(`/trash/${id}`));
    this.#images.delete(id);
  }
}

class Screen {
  #walk: Walk | undefined;

  constructor(
    private readonly model: Model,
    private readonly random: Random,
  ) {}

  /** Before anything else is read or changed: what has left the list need not be shown, even if it returns. */
  changed(): void {
    if (!this.#walk) return;
    const now = new Set(this.model.ids(this.#walk.list));
    for (const id of this.#walk.due) if (!now.has(id)) this.#walk.due.delete(id);
  }

  read(): Promise<void> {
    return this.random.below(3) === 0 ? this.#jump() : this.#goOn();
  }

  /** Reads a page by its index or its number. */
  async #jump(): Promise<void> {
    const { user } = this.model;
    const list = this.random.of(lists);
    const size = 1 + this.random.below(9);
    const sized = { page_size: `${size}` };
    if (this.random.below(4) === 0) {
      const ids = this.model.ids(ofPlatform);
      const page = 1 + this.random.below(2 + ids.length / size);
      const path = `/users/${user.id}/images`;
      const query = { ...sized, page: `${page}` };
      const read = done(await user.tenant.call<NumberedPage<Image>>('GET', path, { query }));
      assert.deepEqual(idsOf(read), ids.slice(size * (page - 1), size * page));
      assert.deepEqual([read.page, read.total_count], [page, ids.length]);
      return;
    }
    const ids = this.model.ids(list);
    const index = this.random.below(ids.length + 2);
    const read = await user.list({ ...list.query, ...sized, last_index: `${index}` });
    assert.deepEqual(idsOf(read), ids.slice(index, index + size));
    assert.deepEqual([read.last_index, read.total_count], [index + read.count, ids.length]);
  }

  /** Reads the next page of a walk by cursor, or the first of a new one. */
  async #goOn(): Promise<void> {
    const list = this.#walk?.list ?? this.random.of(lists);
    const ids = this.model.ids(list);
    const walk: Walk = this.#walk ?? { list, due: new Set(ids), seen: new Set() };
    this.#walk = walk;
    const page_size = `${1 + this.random.below(9)}`;
    const at: Record<string, string> = walk.cursor === undefined ? {} : { cursor: walk.cursor };
    const read = await this.model.user.list({ ...list.query, page_size, ...at });
    const shown = idsOf(read);
    assert.deepEqual(
      shown,
      ids.filter((id) => shown.includes(id)),
      'what is there, in its order',
    );
    assert.deepEqual(
      shown.filter((id) => walk.seen.has(id)),
      [],
      'shown twice',
    );
    for (const id of shown) {
      walk.seen.add(id);
      walk.due.delete(id);
    }
    walk.cursor = read.next_cursor ?? undefined;
    if (walk.cursor !== undefined) return;
    assert.deepEqual([...walk.due], [], 'there throughout, and never shown');
    this.#walk = undefined;
  }
}

test(`two screens show what is there, and all of it, in ${steps} random steps`, async (t) => {
  t.diagnostic(`IMGSTORE_TEST_SEED=${seed}`);
  const random = new Random(seed);
  const model = new Model(await service.user(), random);
  const screens = [new Screen(model, random), new Screen(model, random)];
  for (let step = 0; step < usual; step += 1) await model.change();
  for (let step = 0; step < steps; step += 1) {
    await model.change();
    for (const screen of screens) screen.changed();
    await Promise.all(screens.map((screen) => screen.read()));
  }
});
