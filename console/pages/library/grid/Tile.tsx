import { Icon } from '../../../components/Icon';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { ImageItem } from '../listing';
import { Thumb } from './Thumb';

export interface TileProps {
  readonly id: string;
  /** Undefined until it has been read. */
  readonly item: ImageItem | undefined;
  readonly column: number;
  readonly size: number;
  readonly gap: number;
  readonly badge: string | undefined;
  readonly selected: boolean;
  /** Whether it has the keyboard focus. */
  readonly current: boolean;
  readonly onPress: (event: MouseEvent) => void;
  readonly onCheck: (event: MouseEvent) => void;
  readonly onDrag: (event: DragEvent) => void;
  readonly onStale: () => void;
}

/** An image in the grid, or a placeholder for one. */
export function Tile(props: TileProps) {
  const { id, item, column, size, gap, selected, current } = props;
  const state = `${selected ? 'selected' : ''} ${current ? 'current' : ''}`;
  return (
    <div
      id={id}
      class={`tile ${state}`}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={selected}
      aria-label={
        item ? [nameOf(item), props.badge].filter(Boolean).join(', ') : t('library.loading')
      }
      style={{
        width: `${size}px`,
        height: `${size}px`,
        insetInlineStart: `${column * (size + gap)}px`,
      }}
      onClick={props.onPress}
      draggable={item !== undefined}
      onDragStart={props.onDrag}
    >
      <div class="tile-face">
        {item && <Thumb key={item.data.id} image={item.data} onError={props.onStale} />}
      </div>
      {props.badge && (
        <span class="tile-badge" aria-hidden="true">
          {props.badge}
        </span>
      )}
      {item && (
        <span class="tile-check" aria-hidden="true" onClick={props.onCheck}>
          <Icon name="check" />
        </span>
      )}
    </div>
  );
}

const nameOf = ({ data }: ImageItem): string =>
  t('library.imageOf', { time: time(data.taken_at ?? data.created_at) });
