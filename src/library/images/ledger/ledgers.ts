import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { withDeadline } from '../../../base/concurrency.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { bytesPerMegabyte, minuteMs, secondMs } from '../../../base/units.js';
import { keepCaller } from '../../../database/fairness.js';
import { onlyRow } from '../../../database/sql.js';
import type { Scratch } from '../../../http/scratch.js';
import { StreamedResponse, writeChunk } from '../../../http/streamed-response.js';
import { assertThere, selectWanted, type WantedImages } from '../archive/wanted.js';
import { imagesAtOnce, selectRecords, timeOf } from '../page.sql.js';
import { type ImageRecords, parsedRecords } from '../record.js';
import type { ImageRecord } from '../schemas.js';
import { dayText, textOf } from './captions.js';
import { type LedgerForm, maxInLedger, pagesOf } from './form.js';
import type { Cell, LedgerHead } from './pdf.js';
import { type LedgerPictures, type PictureRow, selectPictures, type Size } from './pictures.js';
import { Workbook, workbookBox } from './workbook.js';

/** Memory that a ledger takes until it has been sent. */
const ledgerMemory = 16 * bytesPerMegabyte;

/** A download may take this long, and as long as this for each picture. */
const graceMs = 30 * minuteMs;
const pictureMs = 5 * secondMs;

export const mediaTypes = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<LedgerForm['format'], string>;

/** An image of a ledger, as far as it is still there. */
interface Entry {
  readonly number: number;
  readonly picture: PictureRow | undefined;
  readonly record: ImageRecord | undefined;
}

interface LedgerContents {
  readonly ids: readonly string[];
  readonly form: LedgerForm;
  readonly head: LedgerHead;
}

interface LedgerParts {
  readonly db: DataSource;
  readonly pictures: LedgerPictures;
  readonly records: ImageRecords;
  readonly scratch: Scratch;
  readonly clock: WallClock;
}

/** Images as a document that is handed in: with captions, in order, the same for the same request. */
export class Ledgers {
  constructor(private readonly parts: LedgerParts) {}

  /** What `of` would send now. @throws ServiceError `image_not_found`, `image_in_trash`, `too_many_images`. */
  async measure(wanted: WantedImages, form: LedgerForm): Promise<{ count: number; pages: number }> {
    await assertThere(this.parts.db, wanted);
    const { length: count } = await this.#idsOf(wanted);
    return { count, pages: pagesOf(count, form) };
  }

  /** The images are read one at a time, while the ledger is sent. @throws ServiceError `too_many_images`. */
  async of(wanted: WantedImages, form: LedgerForm): Promise<StreamedResponse> {
    const ids = await this.#idsOf(wanted);
    const head = await this.#head(ids, form);
    const giveBack = await this.parts.scratch.memory(ledgerMemory);
    const name = ids.length > 0 ? `ledger_${head.asOfDay}` : 'ledger';
    const headers = {
      'Content-Disposition': `attachment; filename="${name}.${form.format}"`,
      'Cache-Control': 'private, no-store',
    };
    const ms = graceMs + ids.length * pictureMs;
    const send = (destination: Writable, signal: AbortSignal): Promise<void> =>
      withDeadline(signal, ms, (until) => this.#send({ ids, form, head }, destination, until));
    return new StreamedResponse(headers, send, mediaTypes[form.format], async () => giveBack());
  }

  async #send(
    { ids, form, head }: LedgerContents,
    destination: Writable,
    signal: AbortSignal,
  ): Promise<void> {
    if (form.format === 'xlsx') {
      const cells = {
        pictures: keepCaller(this.#cells(ids, form, workbookBox, signal)),
        captions: keepCaller(this.#captions(ids, form)),
      };
      return new Workbook(form, head, cells).zip.send(destination, signal);
    }
    // With its font, it takes memory that only those who make ledgers should pay for.
    const { pdfOf, pictureBox } = await import('./pdf.js');
    const cells = this.#cells(ids, form, pictureBox(form), signal);
    for await (const piece of pdfOf(form, head, cells)) {
      await writeChunk(destination, piece, signal);
    }
    destination.end();
  }

  /** One more than may be tells that there are more. */
  async #idsOf(wanted: WantedImages): Promise<string[]> {
    const { scratch, db } = this.parts;
    const ids = await scratch.longRead(() => selectWanted(db, wanted, maxInLedger + 1));
    if (ids.length <= maxInLedger) return ids;
    const message = `A ledger can have at most ${maxInLedger} images; ask for fewer.`;
    throw new ServiceError('too_many_images', { message, details: { max: maxInLedger } });
  }

  async #head(ids: readonly string[], form: LedgerForm): Promise<LedgerHead> {
    const { db, clock } = this.parts;
    const { first, last, asOf } = await onlyRow<Record<'first' | 'last' | 'asOf', Date | null>>(
      db,
      `SELECT min(${timeOf('taken_at')}) AS first, max(${timeOf('taken_at')}) AS last,
         max(i.updated_at) AS "asOf"
       FROM images i WHERE i.id = ANY ($1::uuid[])`,
      [ids],
    );
    const day = (time: Date): string => dayText(clock.format(time));
    const changed = asOf ?? new Date(0);
    const period = first && last && [...new Set([day(first), day(last)])].join(' – ');
    const hash = createHash('sha256').update(JSON.stringify([form, ids, changed]));
    return {
      count: ids.length,
      period: period ?? undefined,
      asOf: changed,
      asOfDay: day(changed),
      hash: hash.digest('hex'),
    };
  }

  async *#cells(
    ids: readonly string[],
    form: LedgerForm,
    box: Size,
    signal: AbortSignal,
  ): AsyncGenerator<Cell> {
    for await (const { number, picture: row, record } of this.#entries(ids)) {
      const picture = row ? await this.parts.pictures.make(row, box, signal) : 'gone';
      const captions = form.fields.map((field) => textOf(field, number, record));
      yield { picture, captions, ...(row && { width: row.width, height: row.height }) };
    }
  }

  async *#captions(ids: readonly string[], { fields }: LedgerForm): AsyncGenerator<string[]> {
    for await (const { number, record } of this.#entries(ids)) {
      yield fields.map((field) => textOf(field, number, record));
    }
  }

  /** All images with these ids, in their order; some may have been deleted by now. */
  async *#entries(ids: readonly string[]): AsyncGenerator<Entry> {
    const { db, records } = this.parts;
    const include = { memos: true, customs: true };
    for (let start = 0; start < ids.length; start += imagesAtOnce) {
      const slice = ids.slice(start, start + imagesAtOnce);
      const found = await selectPictures(db, slice);
      const pictures = new Map(found.map((picture) => [picture.id, picture]));
      const batches = parsedRecords(await selectRecords(db, slice, include), records);
      let batch: ImageRecord[] | undefined;
      for (const [n, id] of slice.entries()) {
        while (batch?.length === 0 || !batch) {
          const next = await batches.next();
          if (next.done) break;
          batch = next.value;
        }
        const record = batch?.[0]?.id === id ? batch.shift() : undefined;
        yield { number: start + n + 1, picture: pictures.get(id), record };
      }
    }
  }
}
