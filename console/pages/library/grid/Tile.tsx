import { Icon } from '../../../components/Icon';
import { day, time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { Item } from '../listing';
import { Thumb } from './Thumb';

export interface TileProps {
  readonly id: string;
  /** Undefined until it has been read. */
  readonly item: Item | undefined;
  readonly column: number;
  readonly size: number;
  readonly gap: number;
  readonly selected: boolean;
  /** Whether it has the keyboard focus. */
  readonly current: boolean;
  /** Whether it is the first image of its day. */
  readonly beginsDay: boolean;
  readonly onPress: (event: MouseEvent) => void;
  readonly onCheck: (event: MouseEvent) => void;
  readonly onDrag: (event: DragEvent) => void;
  readonly onDrop: ((event: DragEvent) => void) | undefined;
  readonly onStale: () => void;
}

/** An image or a folder in the grid, or a placeholder for one. */
export function Tile(props: TileProps) {
  const { id, item, column, size, gap, selected, current, beginsDay } = props;
  const state = `${selected ? 'selected' : ''} ${current ? 'current' : ''}`;
  return (
    <div
      id={id}
      class={`tile ${state}`}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={selected}
      aria-label={item ? nameOf(item) : t('library.loading')}
      style={{ width: `${size}px`, insetInlineStart: `${column * (size + gap)}px` }}
      onClick={props.onPress}
      draggable={item !== undefined}
      onDragStart={props.onDrag}
      onDragOver={props.onDrop && ((event) => event.preventDefault())}
      onDrop={props.onDrop}
    >
      {beginsDay && item && (
        <span class="tile-day" aria-hidden="true">
          {day(item.data.created_at)}
        </span>
      )}
      <div class="tile-face" style={{ height: `${size}px` }}>
        {item && <Face item={item} onStale={props.onStale} />}
        {item && (
          <span class="tile-check" aria-hidden="true" onClick={props.onCheck}>
            <Icon name="check" />
          </span>
        )}
      </div>
    </div>
  );
}

function Face({ item, onStale }: { readonly item: Item; readonly onStale: () => void }) {
  if (!item.is_folder) return <Thumb key={item.data.id} image={item.data} onError={onStale} />;
  return (
    <span class="tile-folder">
      <Icon name="folder" />
      <span>{item.data.title}</span>
    </span>
  );
}

const nameOf = ({ is_folder, data }: Item): string =>
  is_folder
    ? t('library.folderNamed', { title: data.title })
    : t('library.imageOf', { time: time(data.created_at) });
