import { NIL, validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { id } from '../../../http/record-fields.js';
import {
  dayOrTime,
  expecting,
  integer,
  notation,
  triState,
  asText,
  parseFolderTarget,
} from '../../../http/request-fields.js';
import { hasSought, isTree } from '../list/conditions.sql.js';
import { filterIn, type Filter, type FilterQuery, listQuery } from '../list/schemas.js';
import { listTime, takenAtMeans } from '../schemas.js';
import type { ListTime } from '../page.sql.js';
import { readBox, maxZoom } from './cells.js';

/** The owner of a map: a user, optionally restricted to a platform, or all users of a platform. */
export type MapOwner = {
  /** When the link that gives access was signed, in seconds since 1970; none with a token. */
  readonly linkedAt?: number;
} & (
  | { readonly kind: 'users'; readonly id: string; readonly platformId?: string }
  | { readonly kind: 'platforms'; readonly id: string }
);

/** The images that a map shows; if empty, all that are not in the trash. */
export interface MapFilter {
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /** The time of a period; by default, `created_at`. */
  readonly time?: ListTime;
  /** null: the top level. */
  readonly folderId?: string | null;
  /** null: not entered. */
  readonly det?: boolean | null;
  readonly camera?: string;
  /** All of these as a filter of lists, if it has something that indexes look up. */
  readonly sought?: Filter;
}

export const isFiltered = (filter: MapFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** The folder of a filter: blank means the top level, absent means any folder. */
const folderField = z
  .preprocess(asText, z.string({ error: 'a folder' }).meta({ format: 'uuid' }).transform(folderOf))
  .optional()
  .meta({ description: 'in this folder; root, or a blank: at the top level' });

/** A text that is not an id becomes the id of no folder. */
function folderOf(text: string): string | null | undefined {
  const folder = text === 'root' ? null : parseFolderTarget(text);
  return typeof folder === 'string' && !isUuid(folder) ? NIL : folder;
}

/** The filter fields of a map. */
export const filterFields = (clock: WallClock) => ({
  from_date: dayOrTime(clock).optional().meta({ description: 'created at this time or later' }),
  to_date: dayOrTime(clock)
    .optional()
    .meta({ description: 'created at this time or earlier, inclusive' }),
  date_by: listTime
    .default('created_at')
    .meta({ description: `the time that from_date and to_date mean; ${takenAtMeans}` }),
  folder_id: folderField,
  has_det: triState.optional().meta({ description: 'None: not entered' }),
});
type FilterFields = z.output<z.ZodObject<ReturnType<typeof filterFields>>>;

/** Those of a user's map: also what lists look up. */
export const ownFilterFields = (clock: WallClock) => ({
  ...filterFields(clock),
  ...listQuery(clock).pick({
    search_type: true,
    search: true,
    camera: true,
    upload_set_id: true,
    custom_key: true,
    custom_value: true,
    with_subfolders: true,
  }).shape,
});
type OwnFilterFields = z.output<z.ZodObject<ReturnType<typeof ownFilterFields>>>;

/** @throws ServiceError as `filterIn` does. */
export function mapFilterOf(
  fields: FilterFields & Partial<OwnFilterFields>,
  clock: WallClock,
): MapFilter {
  const { from_date, to_date, date_by: time, folder_id: folder, has_det: det, ...others } = fields;
  const { camera, with_subfolders = false } = others;
  const query: FilterQuery = {
    ...others,
    with_subfolders,
    has_delete_at: false,
    has_det: det,
    search_date_by: time,
    ...(folder !== undefined && { folder_id: folder ?? 'root' }),
  };
  const period = { column: time, from: from_date?.from, to: to_date?.to };
  const filter = { ...filterIn(query, time, clock), periods: [period] };
  return {
    ...(from_date && { from: from_date.from }),
    ...(to_date && { to: to_date.to }),
    ...((from_date ?? to_date) && time === 'taken_at' && { time }),
    ...(folder !== undefined && { folderId: folder }),
    ...(det !== undefined && { det }),
    ...(camera !== undefined && { camera }),
    ...((hasSought(filter) || isTree(filter)) && { sought: filter }),
  };
}

export const bbox = notation(
  /^[-+\d., ]{7,200}$/,
  readBox,
  'west,south,east,north in degrees, south no more than north',
).meta({
  description: 'west,south,east,north in degrees; across 180° if west is beyond east',
  examples: ['126.5,37.2,127.5,37.8'],
});

/** The filter fields, checked, and passed on to the tiles as they were written. */
export const tileJsonQuery = (fields: Readonly<Record<string, z.ZodType>>) =>
  z.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, asWritten(field)])),
  );

/** Documented as the field itself. */
function asWritten(field: z.ZodType) {
  const {
    $schema,
    default: fallback,
    ...documented
  } = z.toJSONSchema(field, {
    io: 'input',
    unrepresentable: 'any',
  });
  void [$schema, fallback];
  return z
    .string(expecting('text'))
    .superRefine((text, context) => {
      for (const { message } of field.safeParse(text).error?.issues ?? [])
        context.addIssue(message);
    })
    .optional()
    .meta(documented);
}

/** The area of clusters, beside the filter fields. */
export const clusterFields = {
  bbox,
  zoom: integer(0, maxZoom).meta({
    description: 'zoom of the tiles, each with 16 by 16 clusters',
  }),
};

/** A tile: bytes. */
export const tileBytes = z.string().meta({ format: 'binary' });

export const clusterCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        geometry: z.object({
          type: z.literal('Point'),
          coordinates: z
            .array(z.number())
            .meta({ description: 'longitude and latitude of the newest image, to a meter' }),
        }),
        properties: z.object({
          count: z.int(),
          image_id: id.meta({ description: 'the newest image' }),
          latest_created_at: z.int().meta({ description: 'YYYYMMDD' }),
          count_is_exact: z
            .literal(false)
            .optional()
            .meta({ description: 'present if only the newest images were counted' }),
          user_id: id.optional().meta({ description: 'only in the map of a platform' }),
        }),
      }),
    ),
  })
  .meta({ id: 'MapClusters' });
export type ClusterCollection = z.output<typeof clusterCollection>;

export const tileJson = z
  .object({
    tilejson: z.literal('3.0.0'),
    name: z.string(),
    tiles: z.array(z.string()),
    vector_layers: z.array(
      z.object({
        id: z.string(),
        description: z.string(),
        minzoom: z.int(),
        maxzoom: z.int(),
        fields: z.record(z.string(), z.string()),
      }),
    ),
    scheme: z.literal('xyz'),
    minzoom: z.int(),
    maxzoom: z.int(),
    bounds: z.array(z.number()),
  })
  .meta({ id: 'TileJson' });
export type TileJson = z.output<typeof tileJson>;
