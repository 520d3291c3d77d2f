import { v7 as uuidv7 } from 'uuid';
import { type ErrorCode, ServiceError } from '../../base/errors/catalogue.js';
import { bytesPerMegabyte } from '../../base/units.js';
import type { Queryable } from '../../database/sql.js';
import type { PlatformLimits } from '../quota/platform-limits.js';
import * as queries from './annotations.sql.js';
import type { AnnotationLimits, CustomChanges, KeyedCustom } from './annotations.sql.js';

/** Bytes of all texts that are written at once. */
const maxTextBytes = 8 * bytesPerMegabyte;

/** What is written on an image. */
export interface Notes {
  readonly imageId: string;
  readonly message: { readonly message: string; readonly isClient: boolean } | undefined;
  /** Keys with the value that they get; null removes the custom. */
  readonly customs: readonly (readonly [key: string, value: string | null])[];
}

/** What notes come to, given what is there. */
export interface PlannedNotes {
  readonly memos: readonly Notes[];
  readonly customs: CustomChanges;
  /** Images on which something changes. */
  readonly imageIds: ReadonlySet<string>;
}

/** How many customs, and bytes of text, an image gets. */
interface More {
  customs: number;
  bytes: number;
}

/** Memos and customs of many images of one user, whose lock the caller has. */
export class ManyAnnotations {
  constructor(
    private readonly limits: AnnotationLimits,
    private readonly platformLimits: PlatformLimits,
  ) {}

  /**
   * @param offend is told what cannot be written, and why. @throws ServiceError `too_much_text` for all together.
   */
  async plan(
    tx: Queryable,
    userId: string,
    all: readonly Notes[],
    offend: (imageId: string, code: ErrorCode) => void,
  ): Promise<PlannedNotes> {
    const notes = all.filter(({ message, customs }) => message || customs.length > 0);
    if (notes.reduce((sum, one) => sum + bytesOf(one), 0) > maxTextBytes) {
      const message = 'At most 8 MB of text are written at once; make several requests of it.';
      throw new ServiceError('too_much_text', { message });
    }
    const ids = notes.map(({ imageId }) => imageId);
    const keys = [...new Set(notes.flatMap(({ customs }) => customs.map(([key]) => key)))];
    const found = keys.length > 0 ? await queries.selectCustomsByKey(tx, userId, ids, keys) : [];
    const there = new Map(found.map((custom) => [`${custom.imageId} ${custom.key}`, custom]));
    const totals = notes.length > 0 ? await queries.selectTotals(tx, ids) : [];
    const had = new Map(totals.map((total) => [total.imageId, total]));
    const plan = new Plan();
    for (const one of notes) {
      const { imageId } = one;
      const more = plan.add(one, (key) => {
        const custom = there.get(`${imageId} ${key}`);
        if (custom && custom.count > 1) offend(imageId, 'custom_ambiguous');
        return custom;
      });
      const code = this.#excess(one, more, had.get(imageId));
      if (code) offend(imageId, code);
    }
    const { memos, customs, imageIds } = plan;
    return { memos, customs, imageIds };
  }

  /** What an image may carry; the triggers check the same, but do not say of which image. */
  #excess(
    { message }: Notes,
    more: More,
    { memos, customs, textBytes } = { memos: 0, customs: 0, textBytes: 0 },
  ): ErrorCode | undefined {
    const { limits } = this;
    if (message && memos + 1 > limits.memos) return 'too_many_memos';
    if (more.customs > 0 && customs + more.customs > limits.customs) return 'too_many_customs';
    return more.bytes > 0 && textBytes + more.bytes > limits.textBytes
      ? 'too_much_text'
      : undefined;
  }

  /** @throws ServiceError `storage_quota_exceeded`, `held`; NoCapacity. */
  async write(tx: Queryable, userId: string, { memos, customs }: PlannedNotes): Promise<void> {
    const { limits, platformLimits } = this;
    const refused = (field: string) => (error: unknown) => {
      throw queries.limitErrorOf(error, { field, limits, platformLimits });
    };
    await queries.changeCustoms(tx, userId, customs, limits).catch(refused('customs'));
    if (memos.length === 0) return;
    const texts = [...new Set(memos.flatMap(({ message }) => message ?? []))];
    const places = new Map(texts.map((text, place) => [text, place]));
    const many = {
      ids: memos.map(() => uuidv7()),
      imageIds: memos.map(({ imageId }) => imageId),
      places: memos.map(({ message }) => (message && places.get(message)) ?? 0),
      texts,
    };
    await queries.insertMemos(tx, userId, many, limits).catch(refused('message'));
  }
}

const bytesOf = ({ message, customs }: Notes): number =>
  customs.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''),
    Buffer.byteLength(message?.message ?? ''),
  );

class Plan {
  readonly memos: Notes[] = [];
  readonly imageIds = new Set<string>();
  readonly #removed: string[] = [];
  readonly #set: CustomChanges['set'][number][] = [];
  readonly #added: CustomChanges['added'][number][] = [];

  get customs(): CustomChanges {
    return { removed: this.#removed, set: this.#set, added: this.#added };
  }

  add(notes: Notes, found: (key: string) => KeyedCustom | undefined): More {
    const { imageId, message, customs } = notes;
    const more = { customs: 0, bytes: Buffer.byteLength(message?.message ?? '') };
    if (message) {
      this.memos.push(notes);
      this.imageIds.add(imageId);
    }
    for (const [key, value] of customs) this.#setCustom(imageId, key, value, found(key), more);
    return more;
  }

  #setCustom(
    imageId: string,
    key: string,
    value: string | null,
    custom: KeyedCustom | undefined,
    more: More,
  ): void {
    if (value === (custom?.value ?? null)) return;
    this.imageIds.add(imageId);
    more.bytes += Buffer.byteLength(value ?? '') - Buffer.byteLength(custom?.value ?? '');
    if (custom && value !== null) this.#set.push({ id: custom.id, value });
    else if (custom) {
      this.#removed.push(custom.id);
      more.customs -= 1;
      more.bytes -= Buffer.byteLength(key);
    } else if (value !== null) {
      this.#added.push({ id: uuidv7(), imageId, key, value });
      more.customs += 1;
      more.bytes += Buffer.byteLength(key);
    }
  }
}
