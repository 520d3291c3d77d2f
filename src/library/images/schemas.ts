import { z } from 'zod';
import { fromFields, namesOf, type NameOf } from '../../database/columns.js';
import { customRecord, memoRecord } from '../annotations/schemas.js';
import {
  clearable,
  flag,
  latitude,
  longitude,
  textOrNull,
  triState,
} from '../../http/request-fields.js';
import { ext, id, megabytes, timestamp } from '../../http/record-fields.js';
import { addressColumns } from './entity.js';

const addressText = textOrNull(1000).optional();

/** One field for each address column, with the same name as in records. */
export const addressFields = {
  address_road: addressText,
  address_land: addressText,
  address_land_number: addressText,
  building_name: addressText,
  address_sort: addressText,
  address_det: addressText,
} satisfies Record<NameOf<typeof addressColumns>, typeof addressText>;

const textOrNothing = z.string().nullable();

const addressRecord = Object.fromEntries(
  namesOf(addressColumns).map((name) => [name, textOrNothing]),
) as Record<NameOf<typeof addressColumns>, typeof textOrNothing>;

/** The address columns given in a request. */
export const addressOf = fromFields(addressColumns);

/** Coordinates under either pair of names; empty values clear them. */
export const coordinateFields = {
  latitude: clearable(latitude)
    .optional()
    .meta({ description: 'degrees; sent with longitude. Image records name it lat' }),
  longitude: clearable(longitude)
    .optional()
    .meta({ description: 'degrees; sent with latitude. Image records name it lng' }),
  lat: clearable(latitude).optional().meta({ description: 'the same as latitude' }),
  lng: clearable(longitude).optional().meta({ description: 'the same as longitude' }),
};

export const withFields = {
  with_memo: triState.optional(),
  with_custom: triState.optional(),
  with_history: flag.default(false),
};

export const imageQuery = z.object({
  ...withFields,
  with_history: withFields.with_history.meta(ext),
});

export const trashFilter = z.object({ has_delete_at: triState.optional() });

const isIncomplete = z.boolean().meta({
  ...ext,
  description: 'true if the image is cut off: at least half of its rows are present, but not all',
});

export const filedataRecord = z
  .object({
    original_image_id: id,
    id,
    path_url: z.string(),
    created_at: timestamp,
    hashdata: z.string(),
    filesize_mb: megabytes,
    image_resource_type: z.string(),
    resolution: z.string(),
    is_incomplete: isIncomplete,
  })
  .meta({ id: 'Filedata' });
export type FiledataRecord = z.output<typeof filedataRecord>;

export const imageRecord = z
  .object({
    id,
    user_id: id,
    folder_id: id.nullable(),
    filename: z.string(),
    path_url: z.string(),
    org_path_url: z.string(),
    lat: z.number().nullable().meta({ description: 'sent as latitude (or lat)' }),
    lng: z.number().nullable().meta({ description: 'sent as longitude (or lng)' }),
    ...addressRecord,
    created_at: timestamp,
    updated_at: timestamp,
    delete_at: timestamp.nullable(),
    filedata_total: z.int(),
    is_signed: z.boolean(),
    is_shared: z.boolean(),
    has_det: z.boolean().nullable(),
    image_resource_type: z.string(),
    resolution: z.string(),
    filesize_mb: megabytes,
    image_filesize_mb: megabytes,
    memos: z.array(memoRecord).nullable(),
    customs: z.array(customRecord).nullable(),
    filedatas: z.array(filedataRecord).nullable(),
    thumb_url: z.string().meta(ext),
    thumbhash: z.string().meta({ ...ext, description: 'ThumbHash in base64' }),
    hashdata: z
      .string()
      .meta({ ...ext, description: 'SHA-256 of the current version, hexadecimal' }),
    taken_at: timestamp.nullable().meta(ext),
    is_incomplete: isIncomplete,
    upload_set_id: id
      .nullable()
      .meta({ ...ext, description: 'the upload set that the image was uploaded to' }),
    distance_m: z
      .number()
      .optional()
      .meta({
        ...ext,
        description: 'meters from the given point; present only if a point was given',
      }),
  })
  .meta({ id: 'Image' });
export type ImageRecord = z.output<typeof imageRecord>;

export const imageCount = z.object({ count: z.int() }).meta({ id: 'ImageCount' });
