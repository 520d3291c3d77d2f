import { type NameOf, namesOf, propertiesOf } from '../../database/columns.js';
import { customColumns, memoColumns } from '../annotations/entity.js';
import type { CustomRecord, MemoRecord } from '../annotations/schemas.js';
import { addressColumns, imageColumns, versionColumns } from './entity.js';
import {
  displayUrl,
  fullUrl,
  ListTexts,
  nameIn,
  objectOf,
  resolutionOf,
  RowTexts,
  textSql,
  textsSql,
  urlOf,
  type Field,
  type JsonContext,
  type Texts,
} from './field-types.js';
import type { FiledataRecord, ImageRecord } from './schemas.js';

// The fields of the records of images and of what belongs to them.

/** What a response includes in addition to the images. */
export interface IncludeOptions {
  readonly memos?: boolean;
  readonly customs?: boolean;
  readonly history?: boolean;
}

/** Everything that belongs to an image. */
export const includeAll: IncludeOptions = { memos: true, customs: true, history: true };

const memo = new RowTexts('m', memoColumns);
const memos = new ListTexts(memo, 'memos m WHERE m.image_id = i.id', 'm.created_at, m.id', {
  id: memo.uuid('id'),
  image_id: memo.uuid('imageId'),
  message: memo.text('message'),
  is_client: memo.plain('isClient'),
  created_at: memo.time('createdAt'),
  updated_at: memo.time('updatedAt'),
} satisfies Record<keyof MemoRecord, Field>);

const custom = new RowTexts('c', customColumns);
const customs = new ListTexts(custom, 'customs c WHERE c.image_id = i.id', 'c.created_at, c.id', {
  id: custom.uuid('id'),
  image_id: custom.uuid('imageId'),
  key: custom.text('key'),
  value: custom.text('value'),
  created_at: custom.time('createdAt'),
  updated_at: custom.time('updatedAt'),
} satisfies Record<keyof CustomRecord, Field>);

/** Edits of an image in its text; there may be any number of them. */
export const editsAtOnce = 500;

/** Edits of images `i`: the first ones, or so many after `after`. */
const editsAfter = (after: string): string =>
  `AND v.version > ${after} AND v.version <= ${after} + ${editsAtOnce}`;

const edit = new RowTexts('v', versionColumns);
const editVersion = {
  platformId: edit.of('platformId'),
  userId: edit.of('userId'),
  imageId: edit.of('imageId'),
  versionId: edit.of('id'),
};
const editFormat = edit.text('format');
const editName = edit.text('originalName');
const storedEdit = urlOf(
  editVersion,
  objectOf('original', edit.of('extension')),
  nameIn(edit.of('originalName', `to_json(${edit.column('originalName')})`)),
);
const editDisplay = edit.of('displayExtension');
const filedatas = new ListTexts(
  edit,
  'image_versions v WHERE v.image_id = i.id',
  'v.version',
  {
    original_image_id: edit.uuid('imageId'),
    id: edit.uuid('id'),
    path_url: displayUrl(
      editDisplay,
      urlOf(editVersion, objectOf('display', editDisplay)),
      storedEdit,
    ),
    created_at: edit.time('createdAt'),
    hashdata: edit.hex('hash'),
    filesize_mb: edit.megabytes('bytes'),
    image_resource_type: editFormat,
    resolution: resolutionOf(edit.of('width'), edit.of('height')),
    is_incomplete: edit.plain('isIncomplete'),
    original_name: editName,
  } satisfies Record<Exclude<keyof FiledataRecord, 'full_url'>, Field>,
  { full_url: fullUrl(editVersion, editFormat, storedEdit) },
);

const image = new RowTexts('i', imageColumns);
const imageId = image.of('id');
const owner = { platformId: image.of('platformId'), userId: image.of('userId'), imageId };
const upload = { ...owner, versionId: imageId };
const current = { ...owner, versionId: image.of('versionId') };
const edits = image.of('edits');
const originalName = nameIn(image.of('originalName', `to_json(${image.column('originalName')})`));

/** Each edit has a name of its own. */
const nameUnlessEdited = (texts: Texts, at: number): string | undefined =>
  edits(texts, at) === '0' ? originalName(texts, at) : undefined;

const display = image.of('displayExtension');
const stored = urlOf(current, objectOf('original', image.of('extension')), nameUnlessEdited);

const listOf = {
  memos: { list: memos, sql: () => memos.sql() },
  customs: { list: customs, sql: () => customs.sql() },
  history: { list: filedatas, sql: () => filedatas.sql(editsAfter('0')) },
} as const;
type Included = keyof typeof listOf;

/** A list that a record includes if it is requested. */
const included =
  (name: Included): Field =>
  (texts, at, context) => {
    const place = context.included.indexOf(name);
    if (place < 0) return 'null';
    const text = texts[at + image.sql.length + place] ?? '';
    return `[${listOf[name].list.items(text, context)}]`;
  };

const history = included('history');

const address = Object.fromEntries(
  propertiesOf(addressColumns).map((property, i) => [
    namesOf(addressColumns)[i],
    image.text(property),
  ]),
) as Record<NameOf<typeof addressColumns>, Field>;

const place = (half: 'ST_X' | 'ST_Y'): Field =>
  image.float(`${half}(${image.column('location')}::geometry)`);

/** The fields of an image record, in order. */
export const imageFields = {
  id: image.uuid('id'),
  user_id: image.uuid('userId'),
  folder_id: image.uuid('folderId'),
  filename: image.text('filename'),
  path_url: displayUrl(display, urlOf(current, objectOf('display', display)), stored),
  org_path_url: urlOf(upload, objectOf('original', image.of('originalExtension')), originalName),
  lat: place('ST_Y'),
  lng: place('ST_X'),
  ...address,
  created_at: image.time('createdAt'),
  updated_at: image.time('updatedAt'),
  delete_at: image.time('deletedAt'),
  filedata_total: image.plain('edits'),
  is_signed: image.plain('isSigned'),
  is_shared: image.plain('isShared'),
  has_det: image.plain('hasDet'),
  image_resource_type: image.text('format'),
  resolution: resolutionOf(image.of('width'), image.of('height')),
  filesize_mb: image.megabytes('bytes'),
  image_filesize_mb: image.megabytes('bytes'),
  memos: included('memos'),
  customs: included('customs'),
  filedatas: history,
  thumb_url: urlOf(current, objectOf('thumb', image.of('thumbExtension'))),
  thumbhash: image.base64('thumbhash'),
  hashdata: image.hex('hash'),
  taken_at: image.time('takenAt'),
  is_incomplete: image.plain('isIncomplete'),
  upload_set_id: image.uuid('uploadSetId'),
  original_name: image.text('originalName'),
  direction: image.decimal('direction'),
  altitude_m: image.decimal('altitudeM'),
  accuracy_m: image.decimal('accuracyM'),
  camera: image.text('camera'),
} satisfies Record<Exclude<keyof ImageRecord, 'distance_m' | 'full_url'>, Field>;

export type ImageFieldName = keyof typeof imageFields;

/** The names of the fields that every record has, in order. */
export const imageFieldNames = Object.keys(imageFields) as ImageFieldName[];

const fullPictureUrl = fullUrl(current, imageFields.image_resource_type, stored);

/** Those that are included, in the order of their texts. */
export const includedIn = (include: IncludeOptions): Included[] =>
  (['memos', 'customs', 'history'] as const).filter((name) => include[name] === true);

/** Makes something for each combination of what is included, once. */
export function perInclude<T>(
  make: (include: IncludeOptions) => T,
): (include: IncludeOptions) => T {
  const made = new Map<string, T>();
  return (include) => {
    const key = includedIn(include).join();
    const known = made.get(key) ?? make(include);
    made.set(key, known);
    return known;
  };
}

const textsWith = (include: IncludeOptions): string[] => [
  ...image.sql,
  ...includedIn(include).map((name) => listOf[name].sql()),
];

/** Number of texts of each image. */
export const textCount = ({ included: names }: Pick<JsonContext, 'included'>): number =>
  image.sql.length + names.length;

/** SQL of the text from which the record of image `i` is written. */
export const recordSql = (include: IncludeOptions = {}): string => textSql(textsWith(include));

/** The same of all images, in this order. */
export const recordsSql = (include: IncludeOptions, order: string): string =>
  textsSql(textsWith(include), order);

/** SQL of the rest of that text: only what is included. */
export const includedSql = (include: IncludeOptions): string =>
  textSql(includedIn(include).map((name) => listOf[name].sql()));

/** SQL of the text of further edits of images `i`. */
export const furtherEditsSql = (after: string): string =>
  textSql([filedatas.sql(editsAfter(after))]);

/** Such edits, or those customs, as JSON without brackets. */
export const furtherEdits = (text: string, context: JsonContext): string =>
  filedatas.items(text, context);
export const customsIn = (text: string, context: JsonContext): string =>
  customs.items(text, context);

/** An image in a text, as its fields. */
export class ReadImage {
  constructor(
    private readonly texts: Texts,
    private readonly at: number,
    private readonly context: JsonContext,
  ) {}

  get id(): string {
    return imageId(this.texts, this.at);
  }

  /** A field as JSON, with one character for each byte. */
  field(name: ImageFieldName): string {
    return imageFields[name](this.texts, this.at, this.context);
  }

  /** The whole picture's. */
  get fullUrl(): string {
    return fullPictureUrl(this.texts, this.at, this.context);
  }

  /** How many edits there are, if these are included, and not all of them are in the text. */
  get manyEdits(): number | undefined {
    if (!this.context.included.includes('history')) return undefined;
    const count = Number(edits(this.texts, this.at));
    return count > editsAtOnce ? count : undefined;
  }
}
