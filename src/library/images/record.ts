import { inTurn, type Queryable } from '../../database/sql.js';
import type { ResolveUrl } from '../../http/operation.js';
import { collectText, RawJson } from '../../http/paging/batches.js';
import { objectName, type VersionId, versionFolder } from '../../store/object-key.js';
import type { ObjectStore, SignObject } from '../../store/port.js';
import type { WallClock } from '../../base/time.js';
import { textsOf, type JsonContext } from './field-types.js';
import { selectFurtherEdits } from './images.sql.js';
import { allRecords, selectRecords, type Matching, type RecordTexts } from './page.sql.js';
import {
  customsIn,
  editsAtOnce,
  furtherEdits,
  imageFields,
  includedIn,
  ReadImage,
  textCount,
  type ImageFieldName,
  type IncludeOptions,
} from './record-fields.js';
import type { CustomRecord } from '../annotations/schemas.js';
import type { ImageRecord } from './schemas.js';

export type { ResolveUrl };

/** How fields of a record are written from their JSON. All text has one character for each byte. */
export interface RecordForm {
  readonly fields: readonly { readonly prefix: string; readonly name: ImageFieldName }[];
  readonly value: (json: string) => string;
  /** A value that is written in parts is between two of these. */
  readonly quote: string;
  readonly part: (json: string) => string;
}

/** JSON without the brace at its end, which the frame writes. */
const asJson: RecordForm = {
  fields: Object.keys(imageFields).map((name, i) => ({
    prefix: `${i === 0 ? '{' : ','}"${name}":`,
    name: name as ImageFieldName,
  })),
  value: (json) => json,
  quote: '',
  part: (json) => json,
};

/** What is around records. It may count and compare them, so each response needs its own. */
export interface Frame {
  readonly begin: string;
  readonly before: (image: ReadImage, beside: string) => string;
  readonly after: (image: ReadImage, beside: string) => string;
  readonly end: () => string;
  readonly form?: RecordForm;
}

/** A frame of an array, whose items are records between `open` and `close`. */
export function arrayOf(
  open: (image: ReadImage, beside: string) => string = () => '',
  close: (beside: string) => string = () => '}',
  first: readonly string[] = [],
): Frame {
  let separator = first.length > 0 ? ',' : '';
  return {
    begin: `[${first.join(',')}`,
    before: (image, beside) => {
      const opened = separator + open(image, beside);
      separator = ',';
      return opened;
    },
    after: (_image, beside) => close(beside),
    end: () => ']',
  };
}

/** A frame of an array with an item for each run of records that have the same key. */
export function runsOf(
  keyOf: (image: ReadImage) => string,
  open: (key: string) => string,
  close: (count: number) => string,
): Frame {
  let key: string | undefined;
  let count = 0;
  return {
    begin: '[',
    before: (image) => {
      const before = key;
      key = keyOf(image);
      if (key === before) return ',';
      const closed = before === undefined ? '' : `${close(count)},`;
      count = 0;
      return closed + open(key);
    },
    after: () => {
      count += 1;
      return '}';
    },
    end: () => (key === undefined ? ']' : `${close(count)}]`),
  };
}

/** Edits that follow those in a text. */
interface FurtherEdits {
  readonly imageId: string;
  readonly count: number;
}

/** Writes the records of the API: the one way from texts of images to JSON. */
export class ImageRecords {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: WallClock,
  ) {}

  /** The records of a page, by default as a plain array. */
  list<Item = ImageRecord>(
    page: RecordTexts,
    resolveUrl: ResolveUrl,
    frame = arrayOf(),
  ): RawJson<Item[]> {
    const context = this.#context(resolveUrl, page.include, false);
    return new RawJson(whole(page, context, frame) ?? chunks(oneOf(page), context, frame));
  }

  /** The record of an image by itself. */
  single(page: RecordTexts, resolveUrl: ResolveUrl): RawJson<ImageRecord> {
    const context = this.#context(resolveUrl, page.include, true);
    const frame = {
      begin: '',
      before: () => '',
      after: (image: ReadImage) => `,"full_url":${image.fullUrl}}`,
      end: () => '',
    };
    return new RawJson(whole(page, context, frame) ?? chunks(oneOf(page), context, frame));
  }

  /** The records of all images that match, in a transaction. */
  matching(
    tx: Queryable,
    matching: Matching,
    wanted: { include: IncludeOptions; resolveUrl: ResolveUrl },
    frame: Frame,
  ): AsyncGenerator<Buffer> {
    return this.all(allRecords(inTurn(tx), matching, wanted.include), wanted, frame);
  }

  /** Any number of records. */
  all(
    pages: AsyncIterable<RecordTexts>,
    { include, resolveUrl }: { include: IncludeOptions; resolveUrl: ResolveUrl },
    frame: Frame,
  ): AsyncGenerator<Buffer> {
    return chunks(pages, this.#context(resolveUrl, include, false), frame);
  }

  /** @param text of the customs of an image. */
  customs(text: string): RawJson<CustomRecord[]> {
    const context = this.#context((url) => url, {}, false);
    return new RawJson(bytesOf(`[${customsIn(text, context)}]`));
  }

  /** The signed URL of a thumbnail. */
  thumbUrl(version: VersionId & { readonly extension: string }, resolveUrl: ResolveUrl): string {
    const base = resolveUrl('/').slice(0, -1);
    return this.store.signIn(versionFolder(version), base)(objectName('thumb', version.extension));
  }

  #context(resolveUrl: ResolveUrl, include: IncludeOptions, single: boolean): JsonContext {
    const { ofObject } = resolveUrl;
    const base = resolveUrl('/').slice(0, -1);
    // Keys, signatures, and times need no escaping, but the base of URLs and placeholders might.
    const quote =
      !ofObject && isPlain(base) ? inQuotes : (url: string) => bytewise(JSON.stringify(url));
    const signIn = ofObject
      ? (folder: string): SignObject =>
          (object, name) =>
            ofObject(folder + object, name)
      : (folder: string) => this.store.signIn(folder, base);
    let signedLast = '';
    let sign: SignObject;
    return {
      included: includedIn(include),
      single,
      url: (version, object, name) => {
        if (resolveUrl.withholds) return 'null';
        if (version.versionId !== signedLast) {
          sign = signIn(versionFolder(version));
          signedLast = version.versionId;
        }
        return quote(sign(object, name));
      },
      time: (second) => inQuotes(this.clock.formatSecond(second)),
    };
  }
}

/** Records as objects, as many at a time as their texts allow. */
export async function* parsedRecords(
  page: RecordTexts,
  records: ImageRecords,
): AsyncGenerator<ImageRecord[]> {
  for (let some = page; ; some = await selectRecords(some.db, some.rest, some.include)) {
    const json = await collectText(records.list({ ...some, rest: [] }, (url) => url));
    yield JSON.parse(json) as ImageRecord[];
    if (some.rest.length === 0) return;
  }
}

async function* oneOf(page: RecordTexts): AsyncGenerator<RecordTexts> {
  yield page;
}

/** A page whose texts are all there, which most are; undefined if more has to be read. */
function whole(page: RecordTexts, context: JsonContext, frame: Frame): Buffer | undefined {
  const images = imagesOf(page, context);
  if (page.rest.length > 0 || images.some(({ manyEdits }) => manyEdits)) return undefined;
  const records = [...written(images, frame, page.beside)] as Buffer[]; // no further edits
  return Buffer.concat([bytesOf(frame.begin), ...records, bytesOf(frame.end())]);
}

/** Pages that are read while they are sent. */
async function* chunks(
  pages: AsyncIterable<RecordTexts>,
  context: JsonContext,
  frame: Frame,
): AsyncGenerator<Buffer> {
  yield bytesOf(frame.begin);
  for await (const page of pages) {
    for (let some = page; ; some = await selectRecords(page.db, some.rest, page.include)) {
      for (const part of written(imagesOf(some, context), frame, page.beside)) {
        if (Buffer.isBuffer(part)) yield part;
        else yield* editsFrom(page, part, context, frame.form ?? asJson);
      }
      if (some.rest.length === 0) break;
    }
  }
  yield bytesOf(frame.end());
}

async function* editsFrom(
  { db }: RecordTexts,
  { imageId, count }: FurtherEdits,
  context: JsonContext,
  { part }: RecordForm,
): AsyncGenerator<Buffer> {
  for (let after = editsAtOnce; after < count; after += editsAtOnce) {
    const json = furtherEdits(await selectFurtherEdits(db, imageId, after), context);
    if (json !== '') yield bytesOf(part(`,${json}`));
  }
}

function imagesOf({ text }: RecordTexts, context: JsonContext): ReadImage[] {
  const texts = textsOf(text);
  const step = textCount(context);
  return Array.from(
    { length: texts.length / step },
    (_, n) => new ReadImage(texts, n * step, context),
  );
}

/** Bytes that are passed on at a time, and about those of a record. */
const [pieceBytes, recordBytes] = [64 * 1024, 2 * 1024];

/**
 * The records, interrupted where further edits belong. The text of each becomes bytes at once: that of
 * many would be joined from thousands of pieces all over the memory, which takes longer.
 */
function* written(
  images: readonly ReadImage[],
  { before, after, form = asJson }: Frame,
  besides?: ReadonlyMap<string, string>,
): Generator<Buffer | FurtherEdits> {
  const { fields, value, quote, part } = form;
  let piece = Buffer.allocUnsafe(Math.min(pieceBytes, images.length * recordBytes));
  let end = 0;
  for (const image of images) {
    const beside = besides?.get(image.id) ?? 'null';
    const count = image.manyEdits;
    let text = before(image, beside);
    for (const { prefix, name } of fields) {
      const json = image.field(name);
      text += prefix;
      if (name === 'filedatas' && count !== undefined) {
        yield piece.subarray(0, end);
        yield bytesOf(text + quote + part(json.slice(0, -1)));
        yield { imageId: image.id, count };
        [piece, end] = [Buffer.allocUnsafe(pieceBytes), 0];
        text = part(']') + quote;
      } else text += value(json);
    }
    text += after(image, beside);
    if (end + text.length > piece.length) {
      yield piece.subarray(0, end);
      [piece, end] = [Buffer.allocUnsafe(Math.max(pieceBytes, text.length)), 0];
    }
    end += piece.write(text, end, 'latin1');
  }
  yield piece.subarray(0, end);
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

const inQuotes = (text: string): string => `"${text}"`;

/** Whether a text is ASCII and needs no escaping. */
const isPlain = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

/** The same text with one character for each byte of UTF-8. */
export const bytewise = (text: string): string => Buffer.from(text).toString('latin1');

/** The day of a time in a record. */
export const dayOf = (time: string): number => Number(time.slice(0, 8));
