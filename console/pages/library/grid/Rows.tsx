import { putItems } from '../dragging';
import type { ViewState } from '../library';
import type { Image, ImageItem } from '../listing';
import { gap } from './geometry';
import { DayHead } from './DayHead';
import type { Row } from './layout';
import { Tile } from './Tile';

/** Properties that the grid shares with its rows. */
export interface GridParts {
  readonly state: ViewState;
  readonly onCurrent: (index: number) => void;
  readonly onOpen: (item: ImageItem, index: number) => void;
  readonly onProblem: (problem: unknown) => void;
  /** A few words on an image. */
  readonly badgeOf: ((image: Image) => string | undefined) | undefined;
}

interface RowsProps extends GridParts {
  readonly rows: readonly Row[];
  readonly columns: number;
  /** Width and height of a tile. */
  readonly tile: number;
  readonly height: number;
  /** Vertical offset of the rows from where they would be if all of them could be drawn. */
  readonly shift: number;
  readonly idOf: (index: number) => string;
}

const range = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n);

/** The visible rows. */
export function Rows(props: RowsProps) {
  const { rows, height, shift, state, onProblem } = props;
  // These signals report changes inside objects that stay the same.
  void state.pages.version.value;
  void state.selection.items.value;
  return (
    <div role="presentation" class="grid-all" style={{ height: `${height}px` }}>
      {rows.map((row) => (
        <div
          key={row.isHead ? `day ${row.first}` : row.first}
          class="grid-row"
          role="row"
          style={{ transform: `translateY(${row.top + shift}px)` }}
        >
          {row.isHead && row.day !== undefined ? (
            <DayHead day={row.day} start={row.first} state={state} onProblem={onProblem} />
          ) : (
            range(row.first, row.end).map((index) => tileAt(props, index, index - row.first))
          )}
        </div>
      ))}
    </div>
  );
}

function tileAt(props: RowsProps, index: number, column: number) {
  const { state, tile } = props;
  const { pages, selection, current } = state;
  const item = pages.at(index);
  return (
    <Tile
      key={index}
      id={props.idOf(index)}
      item={item}
      column={column}
      size={tile}
      gap={gap}
      badge={item && props.badgeOf?.(item.data)}
      selected={selection.has(item)}
      current={index === current}
      onPress={(event) => press(props, event, index)}
      onCheck={(event) => check(props, event, index)}
      onDrag={(event) => {
        const chosen = [...selection.items.value.values()];
        if (item) putItems(event, selection.has(item) ? chosen : [item]);
      }}
      onStale={() => pages.renew(index)}
    />
  );
}

/** Opens an item, or with a key held, selects. */
function press(props: GridParts, event: MouseEvent, index: number): void {
  const { state, onCurrent, onOpen, onProblem } = props;
  const { pages, selection } = state;
  const item = pages.at(index);
  if (!item) return;
  onCurrent(index);
  if (event.shiftKey) void selection.extendTo(index).catch(onProblem);
  else if (event.ctrlKey || event.metaKey) selection.toggle(index);
  else onOpen(item, index);
}

/** Selects an item, or all up to it. */
function check(
  { state: { selection }, onCurrent, onProblem }: GridParts,
  event: MouseEvent,
  index: number,
): void {
  event.stopPropagation();
  onCurrent(index);
  if (event.shiftKey) void selection.extendTo(index).catch(onProblem);
  else selection.toggle(index);
}
