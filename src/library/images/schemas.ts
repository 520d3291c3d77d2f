import { z } from 'zod';
import { fromFields, namesOf, type NameOf, type RowOf } from '../../database/columns.js';
import { customRecord, memoRecord } from '../annotations/schemas.js';
import {
  clearable,
  decimal,
  flag,
  latitude,
  longitude,
  oneOf,
  textOrNull,
  triState,
} from '../../http/request-fields.js';
import { ext, id, megabytes, timestamp, withheldText } from '../../http/record-fields.js';
import { altitudeBounds, maxAccuracy, maxCamera } from '../../imaging/readings.js';
import { addressColumns, cameraColumns } from './entity.js';
import { maxOriginalName, originalName } from './original-name.js';

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

const fromFile = 'absent: what the file says; empty: none';

/** One field for each of what the camera knew, with the same name as in records. */
export const cameraFields = {
  original_name: textOrNull(maxOriginalName)
    .optional()
    .meta({ ...ext, description: 'name of the file; absent: that which the file came with' }),
  direction: clearable(decimal(0, 360))
    .optional()
    .meta({ ...ext, description: `degrees from north, 360 is 0; ${fromFile}` }),
  altitude_m: clearable(decimal(altitudeBounds.min, altitudeBounds.max))
    .optional()
    .meta({ ...ext, description: `meters above sea level; ${fromFile}` }),
  accuracy_m: clearable(decimal(0, maxAccuracy))
    .optional()
    .meta({ ...ext, description: `meters by which the location may be off; ${fromFile}` }),
  camera: textOrNull(maxCamera)
    .optional()
    .meta({ ...ext, description: `make and model; ${fromFile}` }),
};
type CameraFields = z.output<z.ZodObject<typeof cameraFields>>;

const asColumns = fromFields(cameraColumns);

/** The camera columns given in a request: undefined if absent, null if empty. */
export function cameraOf(fields: CameraFields): Partial<RowOf<typeof cameraColumns>> {
  const { original_name: name, direction } = fields;
  return asColumns({
    ...fields,
    ...(name !== undefined && { original_name: originalName(name) }),
    ...(typeof direction === 'number' && { direction: direction % 360 }),
  });
}

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

/** The includes requested by the `with_…` fields. */
export const includeOf = (input: {
  with_memo?: boolean | null;
  with_custom?: boolean | null;
  with_history?: boolean;
}) => ({
  memos: input.with_memo === true,
  customs: input.with_custom === true,
  history: input.with_history === true,
});

export const imageQuery = z.object({
  ...withFields,
  with_history: withFields.with_history.meta(ext),
});

/** The time by which a list is sorted, or that a period means. */
export const listTime = oneOf(['created_at', 'taken_at']);
export const takenAtMeans = 'taken_at means created_at of images without one';

export const trashFilter = z.object({ has_delete_at: triState.optional() });

const isIncomplete = z.boolean().meta({
  ...ext,
  description: 'true if the image is cut off: at least half of its rows are present, but not all',
});

const signedUrl = withheldText.meta({ description: 'null for a narrow token without `read`' });

const fullUrl = signedUrl.optional().meta({
  ...ext,
  description:
    'the whole picture as any browser shows it, which may be made on the first request; absent in lists',
});

export const filedataRecord = z
  .object({
    original_image_id: id,
    id,
    path_url: signedUrl,
    created_at: timestamp,
    hashdata: z.string(),
    filesize_mb: megabytes,
    image_resource_type: z.string(),
    resolution: z.string(),
    is_incomplete: isIncomplete,
    original_name: z
      .string()
      .nullable()
      .meta({ ...ext, description: 'name that the file of this version came with' }),
    full_url: fullUrl,
  })
  .meta({ id: 'Filedata' });
export type FiledataRecord = z.output<typeof filedataRecord>;

export const imageRecord = z
  .object({
    id,
    user_id: id,
    folder_id: id.nullable(),
    filename: z.string(),
    path_url: signedUrl,
    org_path_url: signedUrl,
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
    thumb_url: signedUrl.meta({ ...signedUrl.meta(), ...ext }),
    thumbhash: z.string().meta({ ...ext, description: 'ThumbHash in base64' }),
    hashdata: z
      .string()
      .meta({ ...ext, description: 'SHA-256 of the current version, hexadecimal' }),
    taken_at: timestamp.nullable().meta(ext),
    is_incomplete: isIncomplete,
    upload_set_id: id
      .nullable()
      .meta({ ...ext, description: 'the upload set that the image was uploaded to' }),
    original_name: z
      .string()
      .nullable()
      .meta({ ...ext, description: 'name that the file was uploaded with' }),
    direction: z
      .number()
      .nullable()
      .meta({ ...ext, description: 'degrees from north, 0 to less than 360' }),
    altitude_m: z
      .number()
      .nullable()
      .meta({ ...ext, description: 'meters above sea level' }),
    accuracy_m: z
      .number()
      .nullable()
      .meta({ ...ext, description: 'meters by which the location may be off' }),
    camera: z
      .string()
      .nullable()
      .meta({ ...ext, description: 'make and model' }),
    distance_m: z
      .number()
      .optional()
      .meta({
        ...ext,
        description: 'meters from the given point; present only if a point was given',
      }),
    full_url: fullUrl,
  })
  .meta({ id: 'Image' });
export type ImageRecord = z.output<typeof imageRecord>;

export const imageCount = z.object({ count: z.int() }).meta({ id: 'ImageCount' });
