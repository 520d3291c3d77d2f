import { Icon } from '../../../components/Icon';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { Image } from '../listing';
import type { pressing } from './pressing';
import { Thumb } from './Thumb';

interface TileProps extends ReturnType<typeof pressing> {
  readonly id: string;
  /** Undefined until it has been read. */
  readonly image: Image | undefined;
  readonly column: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly badge: string | undefined;
  /** For a line of the table: what it says. */
  readonly details: readonly string[] | undefined;
  readonly selected: boolean;
  /** Whether it has the keyboard focus. */
  readonly current: boolean;
  readonly draggable: boolean;
  readonly onDrag: (event: DragEvent) => void;
  readonly onStale: () => void;
}

/** An image in the grid, or a placeholder for one. */
export function Tile(props: TileProps) {
  const { id, image, column, left, width, height, badge, details, selected, current, ...others } =
    props;
  const { draggable, onDrag, onStale, onPress, onCheck, ...fingers } = others;
  const isLine = details !== undefined;
  const state = `${isLine ? 'line' : ''} ${selected ? 'selected' : ''} ${current ? 'current' : ''}`;
  return (
    <div
      id={id}
      class={`tile ${state}`}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={selected}
      // A line says it all in its text.
      aria-label={isLine && image ? undefined : labelOf(image, badge)}
      style={{
        width: `${width}px`,
        height: `${height}px`,
        insetInlineStart: `${left}px`,
      }}
      onClick={onPress}
      {...fingers}
      draggable={draggable && image !== undefined}
      onDragStart={onDrag}
    >
      <div class="tile-face">
        {image && <Thumb key={image.id} image={image} onError={onStale} />}
      </div>
      {details?.map((text, n) => (
        <span key={n} class="line-text" title={text}>
          {text}
        </span>
      ))}
      {badge && (
        <span class="tile-badge" aria-hidden="true">
          {badge}
        </span>
      )}
      {image && (
        <span class="tile-check" aria-hidden="true" onClick={onCheck}>
          <Icon name="check" />
        </span>
      )}
    </div>
  );
}

function labelOf(image: Image | undefined, badge: string | undefined): string {
  if (!image) return t('library.loading');
  const name = t('library.imageOf', { time: time(image.taken_at ?? image.created_at) });
  return [name, badge].filter(Boolean).join(', ');
}
