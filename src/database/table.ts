import type { EntitySchemaColumnOptions, Point } from 'typeorm';

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

/** Text that the database derives from other columns, used only for searching. */
export const searchText = {
  type: 'text',
  nullable: true,
  select: false,
  insert: false,
  update: false,
} as const;

/**
 * A reference to another table.
 * @param columns maps the property of each column to that of the referenced column.
 */
export const reference = (
  name: string,
  target: string,
  columns: Readonly<Record<string, string>>,
  onDelete: 'CASCADE' | 'SET NULL' | 'NO ACTION' = 'CASCADE',
) => ({
  name,
  target,
  columnNames: Object.keys(columns),
  referencedColumnNames: Object.values(columns),
  onDelete,
});

/** A row of the table. */
export type RowOf<C extends Columns> = { -readonly [P in keyof C]: Value<C[P]> };

/** A row as selected by `selectList`. */
export type SelectedRow<C extends Columns> = Readonly<RowOf<C>>;

type Name<C, P> = C extends { name: infer N extends string } ? N : P;

/** The column names in the database. */
export type NameOf<C extends Columns> = { [P in keyof C]: Name<C[P], P> }[keyof C] & string;

/** The same values by column name, which is also the name of the API's field. */
export type FieldsOf<C extends Columns, Row = RowOf<C>> = {
  [P in keyof C & keyof Row as Name<C[P], P> & string]: Row[P];
};
