import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns numbers at the end, so that digits line up. */
  readonly numeric?: boolean;
  /** Hidden on phones, or on tablets as well. */
  readonly minor?: 'phones' | 'tablets';
  /** Share of the width; 1 by default. */
  readonly share?: 1 | 2 | 3;
  /** What the rows are sorted by when its head is pressed. */
  readonly sort?: string;
}

/** What rows are sorted by, and which way. */
export interface Order {
  readonly by: string;
  readonly down: boolean;
}

interface TableProps<Row> {
  /** What screen readers call it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The total number of rows, if not all have been read yet. */
  readonly total?: number;
  /** The reader is near the end of the rows read so far. */
  readonly onEnd?: (() => void) | undefined;
  /**
   * Columns are never narrower than their heads and contents; the ones that do not fit are scrolled
   * to, while the first one stays in view.
   */
  readonly wide?: boolean;
  readonly order?: Order;
  readonly onOrder?: (order: Order) => void;
}

/** As in styles/components.css. */
const rowHeight = 48;
/** Rows that are drawn beyond the visible ones. */
const ahead = 8;

/** A table that draws only the visible rows: a hundred thousand scroll like ten. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, total = rows.length, onEnd, wide, order, onOrder } = props;
  const area = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const node = area.current;
    if (!node) return undefined;
    const measure = (): void => setSeen({ top: node.scrollTop, height: node.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    node.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      node.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - ahead);
  const last = Math.min(rows.length, Math.ceil((seen.top + seen.height) / rowHeight) + ahead);
  const nearEnd = last >= rows.length && rows.length < total;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, rows.length]);
  return (
    <div
      ref={area}
      class={wide ? 'table wide' : 'table'}
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      tabIndex={0}
    >
      <div
        role="presentation"
        class="table-columns"
        style={wide ? { gridTemplateColumns: columnsOf(columns) } : undefined}
      >
        <div class="table-row head" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.title} column={column} order={order} onOrder={onOrder} />
          ))}
        </div>
        <div role="rowgroup" class="table-rows">
          <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
          {rows.slice(first, last).map((row, index) => (
            <div key={keyOf(row)} class="table-row" role="row" aria-rowindex={first + index + 2}>
              {columns.map((column) => (
                <Cell key={column.title} column={classOf(column)} content={column.cell(row)} />
              ))}
            </div>
          ))}
          <div role="presentation" style={{ height: `${(rows.length - last) * rowHeight}px` }} />
        </div>
      </div>
    </div>
  );
}

interface HeadProps<Row> extends Pick<TableProps<Row>, 'order' | 'onOrder'> {
  readonly column: Column<Row>;
}

/** The title of a column; as a button, if the rows can be sorted by it. */
function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { title, sort, numeric = false } = column;
  const isOrder = sort !== undefined && order?.by === sort;
  const down = isOrder ? !order.down : numeric;
  const sorted = isOrder ? (order.down ? 'descending' : 'ascending') : undefined;
  return (
    <span role="columnheader" class={classOf(column)} aria-sort={sorted}>
      {sort === undefined || !onOrder ? (
        title
      ) : (
        <button type="button" class="sort" onClick={() => onOrder({ by: sort, down })}>
          {title}
          {isOrder && <span aria-hidden="true">{order.down ? ' ↓' : ' ↑'}</span>}
        </button>
      )}
    </span>
  );
}

interface CellProps {
  readonly column: string;
  readonly content: ComponentChildren;
}

/** A text that is cut off stands whole in its tooltip. */
const Cell = ({ column, content }: CellProps) => (
  <span role="cell" class={column} title={typeof content === 'string' ? content : undefined}>
    {content}
  </span>
);

const columnsOf = <Row,>(columns: readonly Column<Row>[]): string =>
  columns.map(({ share = 1 }) => `minmax(min-content, ${share}fr)`).join(' ');

function classOf<Row>({ numeric, minor, share = 1 }: Column<Row>): string {
  return `cell share-${share}${numeric ? ' numeric' : ''}${minor ? ` not-on-${minor}` : ''}`;
}
