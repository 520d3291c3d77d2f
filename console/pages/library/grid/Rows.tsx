import { dragged, putItems } from '../dragging';
import type { Item } from '../listing';
import type { Pages } from '../pages';
import type { Selection } from '../selection';
import type { Geometry } from './geometry';
import { Tile } from './Tile';

/** Properties that the grid shares with its rows. */
export interface GridParts {
  readonly pages: Pages;
  readonly selection: Selection;
  /** The item with the keyboard focus; the page keeps it across visits. */
  readonly current: number;
  readonly onCurrent: (index: number) => void;
  readonly onOpen: (item: Item, index: number) => void;
  readonly onDropInto: (folderId: string, items: readonly Item[]) => void;
  readonly onProblem: (problem: unknown) => void;
}

interface RowsProps extends GridParts {
  readonly geometry: Geometry;
  /** The first row, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Vertical offset of the rows from where they would be if all of them could be drawn. */
  readonly shift: number;
  readonly idOf: (index: number) => string;
}

/** The day that an image belongs to; folders have none. */
export const dayOf = (item: Item | undefined): string | undefined =>
  item && !item.is_folder ? item.data.created_at.slice(0, 8) : undefined;

const upTo = (count: number): number[] => Array.from({ length: Math.max(0, count) }, (_, i) => i);

/** The visible rows. */
export function Rows(props: RowsProps) {
  const { pages, geometry, first, end, shift } = props;
  const { columns, pitch } = geometry;
  // These signals report changes inside objects that stay the same.
  void pages.version.value;
  void props.selection.items.value;
  return (
    <div role="presentation" class="grid-all" style={{ height: `${geometry.height}px` }}>
      {upTo(end - first).map((offset) => {
        const row = first + offset;
        return (
          <div
            key={row}
            class="grid-row"
            role="row"
            aria-rowindex={row + 1}
            style={{ transform: `translateY(${row * pitch + shift}px)` }}
          >
            {upTo(Math.min(columns, pages.total - row * columns)).map((column) =>
              tileAt(props, row * columns + column),
            )}
          </div>
        );
      })}
    </div>
  );
}

function tileAt(props: RowsProps, index: number) {
  const { pages, selection, geometry, current, onDropInto } = props;
  const item = pages.at(index);
  const day = dayOf(item);
  return (
    <Tile
      key={index}
      id={props.idOf(index)}
      item={item}
      column={index % geometry.columns}
      size={geometry.tile}
      gap={geometry.gap}
      selected={selection.has(item)}
      current={index === current}
      beginsDay={day !== undefined && day !== dayOf(pages.at(index - 1))}
      onPress={(event) => press(props, event, index)}
      onCheck={(event) => check(props, event, index)}
      onDrag={(event) => {
        const chosen = [...selection.items.value.values()];
        if (item) putItems(event, selection.has(item) ? chosen : [item]);
      }}
      onDrop={
        item?.is_folder
          ? (event) => dragged(event, (items) => onDropInto(item.data.id, items))
          : undefined
      }
      onStale={() => pages.renew(index)}
    />
  );
}

/** Opens an item, or with a key held, selects. */
function press(props: GridParts, event: MouseEvent, index: number): void {
  const { pages, selection, onCurrent, onOpen, onProblem } = props;
  const item = pages.at(index);
  if (!item) return;
  onCurrent(index);
  if (event.shiftKey) void selection.extendTo(index).catch(onProblem);
  else if (event.ctrlKey || event.metaKey) selection.toggle(index);
  else onOpen(item, index);
}

/** Selects an item, or all up to it. */
function check(
  { selection, onCurrent, onProblem }: GridParts,
  event: MouseEvent,
  index: number,
): void {
  event.stopPropagation();
  onCurrent(index);
  if (event.shiftKey) void selection.extendTo(index).catch(onProblem);
  else selection.toggle(index);
}
