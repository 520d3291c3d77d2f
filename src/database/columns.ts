import { EntitySchema, type EntitySchemaColumnOptions, type Point } from 'typeorm';

/** The columns of a table, as its entity describes them, by their properties in rows. */
export type Columns = Readonly<Record<string, Readonly<EntitySchemaColumnOptions>>>;

/** The JavaScript type that the driver returns for each type (see data-source.ts). */
interface Values {
  uuid: string;
  text: string;
  timestamptz: Date;
  date: string;
  smallint: number;
  integer: number;
  bigint: number;
  'double precision': number;
  boolean: boolean;
  bytea: Buffer;
  jsonb: Readonly<Record<string, unknown>>;
  /** GeoJSON: longitude before latitude. */
  geography: Point;
}

type Value<C> = C extends { type: infer T extends keyof Values }
  ? | (C extends { array: true } ? Values[T][] : Values[T])
    | (C extends { nullable: true } ? null : never)
  : never;

/** When a row was created and last changed, set by the database; an update through TypeORM sets the second. */
export const timestamps = {
  createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
  updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true },
} as const;

/** The default of timestamp columns. */
export const now = (): string => 'now()';

/** What `updated_at` becomes: the database's time, never an earlier one than it was. */
export const touched = (): string => 'greatest(updated_at, now())';

/** Text that the database derives from other columns, used only for searching. */
export const searchText = {
  type: 'text',
  nullable: true,
  select: false,
  insert: false,
  update: false,
} as const;

/** A row of the table. */
export type RowOf<C extends Columns> = { -readonly [P in keyof C]: Value<C[P]> };

/** The entity of a table. */
export const entityOf = <const C extends Columns>(tableName: string, columns: C) =>
  new EntitySchema<RowOf<C>>({ name: tableName, tableName, columns: { ...columns } });

/** A row as selected by `selectList`: a point is returned as two numbers. */
export type SelectedRow<C extends Columns> = {
  readonly [P in keyof C as C[P] extends { type: 'geography' } ? 'lat' | 'lng' : P]: C[P] extends {
    type: 'geography';
  }
    ? number | null
    : Value<C[P]>;
};

type Name<C, P> = C extends { name: infer N extends string } ? N : P;

/** The column names in the database. */
export type NameOf<C extends Columns> = { [P in keyof C]: Name<C[P], P> }[keyof C] & string;

/** The same values by column name, which is also the name of the API's field. */
export type FieldsOf<C extends Columns, Row = RowOf<C>> = {
  [P in keyof C & keyof Row as Name<C[P], P> & string]: Row[P];
};

/** The given columns. */
export const only = <const C extends Columns, P extends keyof C>(
  columns: C,
  ...properties: readonly P[]
): Pick<C, P> =>
  Object.fromEntries(properties.map((property) => [property, columns[property]])) as Pick<C, P>;

/** All columns except the given ones. */
export const without = <const C extends Columns, P extends keyof C>(
  columns: C,
  ...properties: readonly P[]
): Omit<C, P> => {
  const left = new Set<keyof C>(properties);
  return only(columns, ...propertiesOf(columns).filter((p) => !left.has(p))) as Omit<C, P>;
};

export const propertiesOf = <C extends Columns>(columns: C): (keyof C & string)[] =>
  Object.keys(columns);

export const columnName = <C extends Columns>(columns: C, property: keyof C & string): string =>
  columns[property]?.name ?? property;

export const namesOf = <C extends Columns>(columns: C): NameOf<C>[] =>
  propertiesOf(columns).map((property) => columnName(columns, property) as NameOf<C>);

/** The comma-separated column names in the order of the properties, for INSERT. */
export const nameList = (columns: Columns): string => namesOf(columns).join(', ');

/**
 * The list of a SELECT or RETURNING, which returns each column under its property.
 * @param alias of the table in the statement.
 */
export function selectList(columns: Columns, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return pairsOf(columns)
    .map(([property, name]) => prefix + (name === property ? name : `${name} AS "${property}"`))
    .join(', ');
}

/** A bound value converted to the column's type; a point is bound as GeoJSON text. */
export const boundAs = ({ type, array }: Columns[string], placeholder: string): string =>
  type === 'geography'
    ? `ST_GeomFromGeoJSON(${placeholder}::text)::geography`
    : `${placeholder}::${String(type)}${array ? '[]' : ''}`;

/** Bound values of the columns in the order of `nameList`, for INSERT … SELECT or VALUES. */
export const boundList = (columns: Columns): string =>
  Object.values(columns)
    .map((column, i) => boundAs(column, `$${i + 1}`))
    .join(', ');

/** The values to bind for `boundList`. */
export const valuesOf = <C extends Columns>(
  columns: C,
  row: Readonly<Record<keyof C, unknown>>,
): unknown[] => propertiesOf(columns).map((property) => row[property]);

const pairsOf = <C extends Columns>(columns: C) =>
  propertiesOf(columns).map((property) => [property, columnName(columns, property)] as const);

/** Converts these columns of a row to the API's fields. */
export function toFields<C extends Columns>(columns: C) {
  const pairs = pairsOf(columns);
  return <Row extends Readonly<Record<keyof C, unknown>>>(row: Row): FieldsOf<C, Row> => {
    const fields: Record<string, unknown> = {};
    for (const [property, name] of pairs) fields[name] = row[property];
    return fields as FieldsOf<C, Row>;
  };
}

/** Converts the API's fields to columns of a row; a missing field is undefined. */
export function fromFields<C extends Columns>(columns: C) {
  const pairs = pairsOf(columns);
  return (fields: Readonly<Partial<FieldsOf<C>>>): Partial<RowOf<C>> => {
    const row: Record<string, unknown> = {};
    const given = fields as Readonly<Record<string, unknown>>;
    for (const [property, name] of pairs) row[property] = given[name];
    return row as Partial<RowOf<C>>;
  };
}
