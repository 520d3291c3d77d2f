import type { z } from 'zod';
import { invalidField } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { decodeUtf8, KnownFields, type RawFields } from '../../http/form-fields.js';
import { validate } from '../../http/request-fields.js';
import { readMetadata } from '../../http/tus.js';
import { fileHashFields } from '../../http/upload.js';
import {
  filedataFields,
  type FiledataFields,
  uploadFields,
  type UploadFields,
} from '../images/upload/schemas.js';
import { senderFields } from '../links/visitor-schemas.js';

/** What a new upload announces of its file, from Upload-Metadata. */
export interface Announcement {
  /** The name of the file; undefined if it has none. */
  readonly name: string | undefined;
  /** The file becomes a new image with these fields, a version of an image, or what a link asks for. */
  readonly target:
    | { readonly kind: 'image'; readonly fields: UploadFields }
    | { readonly kind: 'edit'; readonly imageId: string; readonly fields: FiledataFields }
    | { readonly kind: 'request'; readonly linkId: string; readonly fields: VisitorFields };
}

/** What visitors of a link may say of a file beside its name. */
const visitorFields = senderFields.extend(fileHashFields);
type VisitorFields = z.output<typeof visitorFields>;

/** The name of the file, as all clients of tus call it. */
const nameField = 'filename';

/** With it, the file becomes a version of that image. */
const editField = 'image_id';

/** Added to what a visitor sends, never taken from clients: the link that the file arrives through. */
export const linkField = 'imgstore-link';

/** What is kept of the metadata of an upload through a link; the link comes first. */
export const ofLink = (linkId: string, sent: string | null): string =>
  [`${linkField} ${Buffer.from(linkId).toString('base64')}`, ...(sent ? [sent] : [])].join(',');

/** The metadata of an upload as its client sent it. */
export const sentMetadata = (kept: string | null): string | null =>
  kept?.startsWith(`${linkField} `) ? kept.split(',').slice(1).join(',') || null : kept;

/**
 * Reads Upload-Metadata: the fields of an upload under their names, and those above. Others are ignored.
 * @throws ServiceError `invalid_field`, `missing_field`.
 */
export function readAnnouncement(metadata: string | null, clock: WallClock): Announcement {
  const values = readMetadata(metadata ?? '');
  const text = (field: string): string | undefined => {
    const value = values.get(field);
    if (value === undefined) return undefined;
    const decoded = decodeUtf8(value);
    if (decoded === undefined) throw invalidField(field, 'text in UTF-8');
    return decoded;
  };
  const read = <S extends z.ZodObject>(schema: S): z.output<S> => {
    const known = new KnownFields([schema]);
    const raw = Object.create(null) as RawFields;
    for (const field of values.keys()) {
      if (known.kindOf(field) !== undefined) raw[field] = text(field);
    }
    return validate(schema, known.pick(raw));
  };
  const name = text(nameField);
  const [linkId, imageId] = [text(linkField), text(editField)?.toLowerCase()];
  if (linkId !== undefined) {
    return { name, target: { kind: 'request', linkId, fields: read(visitorFields) } };
  }
  return imageId === undefined
    ? { name, target: { kind: 'image', fields: read(uploadFields(clock)) } }
    : { name, target: { kind: 'edit', imageId, fields: read(filedataFields) } };
}
