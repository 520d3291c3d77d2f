import { asJson } from './connection.js';
import type { Connection } from './connection.js';
import type { operations } from './schema.js';
import { secureCrypto } from './sha256.js';

type Body<Operation extends 'changeImages' | 'createArchive' | 'createLedger'> = NonNullable<
  operations[Operation]['requestBody']
>['content']['application/json'];
type Result<Operation extends 'changeImages' | 'createArchive' | 'createLedger' | 'imageDays'> =
  operations[Operation]['responses'][200]['content']['application/json']['result'];

/** What is done to up to 1,000 images: `image_ids` with fields for all, or `changes` with fields for each. */
export type Batch = Body<'changeImages'>;
export type BatchResult = Result<'changeImages'>;
/** What goes into a ZIP: `image_ids`, or the filters of a list. */
export type ArchiveOf = Body<'createArchive'> &
  NonNullable<operations['createArchive']['parameters']['query']>;
export type Archive = Result<'createArchive'>;
/** What goes into a ledger, as `ArchiveOf`, and how it looks. */
export type LedgerOf = Body<'createLedger'> &
  NonNullable<operations['createLedger']['parameters']['query']>;
export type Ledger = Result<'createLedger'>;
export type DaysOf = NonNullable<operations['imageDays']['parameters']['query']>;
export type Days = Result<'imageDays'>;

interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface Keyed extends Cancellable {
  /** Idempotency key, the same in each repeat; default: a new UUID. */
  readonly key?: string;
}

const images = '/api/v1/users/{user_id}/images';

/** Changes many images, all or none, once however often it has to be sent. */
export function batch(
  connection: Connection,
  user_id: string,
  body: Batch,
  { key = secureCrypto().randomUUID(), signal }: Keyed = {},
): Promise<BatchResult> {
  const how = {
    params: { path: { user_id }, header: { 'Idempotency-Key': key } },
    body,
    bodySerializer: asJson,
  };
  const send = (until: AbortSignal) =>
    connection.client.POST(`${images}/batch`, { ...how, signal: until });
  return connection.result({ send, key, signal });
}

/** The days of a list, newest first, with the number of images of each. */
export function days(
  connection: Connection,
  user_id: string,
  query: DaysOf = {},
  { signal }: Cancellable = {},
): Promise<Days> {
  const params = { path: { user_id }, query };
  const send = (until: AbortSignal) =>
    connection.client.GET(`${images}/days`, { params, signal: until });
  return connection.result({ send, signal });
}

/** The address of a ZIP of images, which needs no header. */
export function archive(
  connection: Connection,
  user_id: string,
  { image_ids, ...query }: ArchiveOf,
  { signal }: Cancellable = {},
): Promise<Archive> {
  const body = { ...(image_ids && { image_ids }) };
  const how = { params: { path: { user_id }, query }, body, bodySerializer: asJson };
  const send = (until: AbortSignal) =>
    connection.client.POST(`${images}/archive`, { ...how, signal: until });
  return connection.result({ send, signal });
}

/** The address of a PDF or workbook of images with captions, which needs no header. */
export function ledger(
  connection: Connection,
  user_id: string,
  of: LedgerOf,
  { signal }: Cancellable = {},
): Promise<Ledger> {
  const { image_ids, format, layout, title, fields, language, ...query } = of;
  const body = { image_ids, format, layout, title, fields, language };
  const how = { params: { path: { user_id }, query }, body, bodySerializer: asJson };
  const send = (until: AbortSignal) =>
    connection.client.POST(`${images}/ledger`, { ...how, signal: until });
  return connection.result({ send, signal });
}
