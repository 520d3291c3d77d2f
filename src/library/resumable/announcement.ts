import { invalidField } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { decodeUtf8, KnownFields, type RawFields } from '../../http/form-fields.js';
import { validate } from '../../http/request-fields.js';
import { readMetadata } from '../../http/tus.js';
import {
  filedataFields,
  type FiledataFields,
  uploadFields,
  type UploadFields,
} from '../images/upload/schemas.js';

/** What a new upload announces of its file, from Upload-Metadata. */
export interface Announcement {
  /** The name of the file; undefined if it has none. */
  readonly name: string | undefined;
  /** The file becomes a new image with these fields, or a version of an image. */
  readonly target:
    | { readonly kind: 'image'; readonly fields: UploadFields }
    | { readonly kind: 'edit'; readonly imageId: string; readonly fields: FiledataFields };
}

/** The name of the file, as all clients of tus call it. */
const nameField = 'filename';

/** With it, the file becomes a version of that image. */
const editField = 'image_id';

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
  const imageId = text(editField);
  const schema = imageId === undefined ? uploadFields(clock) : filedataFields;
  const known = new KnownFields([schema]);
  const raw = Object.create(null) as RawFields;
  for (const field of values.keys()) {
    if (known.kindOf(field) !== undefined) raw[field] = text(field);
  }
  const name = text(nameField);
  if (imageId === undefined) {
    return {
      name,
      target: { kind: 'image', fields: validate(uploadFields(clock), known.pick(raw)) },
    };
  }
  const fields = validate(filedataFields, known.pick(raw));
  return { name, target: { kind: 'edit', imageId: imageId.toLowerCase(), fields } };
}
