import { time } from '../../../core/amounts';
import { isTouched, putThings } from '../dragging';
import type { Image } from '../listing';
import { headHeight } from './geometry';
import { DayHead } from './DayHead';
import type { Band, Box, Frame, Layout, Row } from './layout';
import { pressing } from './pressing';
import type { GridParts } from './pressing';
import { Tile } from './Tile';

interface BandsProps extends GridParts {
  readonly layout: Layout;
  /** The depths between which rows are drawn. */
  readonly from: number;
  readonly to: number;
  readonly isTable: boolean;
  readonly height: number;
  /** Vertical offset of everything from where it would be if all of it could be drawn. */
  readonly shift: number;
  /** Is being drawn to select what it touches. */
  readonly frame: Frame | undefined;
  readonly idOf: (index: number) => string;
}

/** The visible days, each under its name. */
export function Bands(props: BandsProps) {
  const { layout, from, to, height, shift, frame, state } = props;
  // These signals report changes inside objects that stay the same.
  void state.images.version.value;
  void state.selection.chosen.value;
  const rows = layout.rowsIn(from, to);
  return (
    <div role="presentation" class="grid-all" style={{ height: `${height}px` }}>
      {layout.bandsIn(from, to).map((band) => bandOf(props, band, rows))}
      {frame && <div class="marquee" aria-hidden style={placeOf(frame, shift)} />}
    </div>
  );
}

const placeOf = ({ left, right, top, bottom }: Frame, shift: number) => ({
  left: `${left}px`,
  top: `${top + shift}px`,
  width: `${right - left}px`,
  height: `${bottom - top}px`,
});

function bandOf(props: BandsProps, band: Band, rows: readonly Row[]) {
  const { layout, shift, state, onProblem } = props;
  const own = rows.filter(({ first }) => first >= band.first && first < band.end);
  return (
    <div
      key={band.groups[0]?.key}
      class="band"
      role="rowgroup"
      style={{ top: `${band.top + shift}px`, height: `${band.height}px` }}
    >
      <div class="band-head" role="row" style={{ height: `${headHeight}px` }}>
        {band.groups.map((group) => (
          <DayHead key={group.key} group={group} state={state} onProblem={onProblem} />
        ))}
      </div>
      {own.map((row) => (
        <div
          key={row.first - band.first}
          class="grid-row"
          role="row"
          style={{ top: `${row.top - band.top}px` }}
        >
          {layout.boxesOf(row).map((box, n) => tileAt(props, row, n, box))}
        </div>
      ))}
    </div>
  );
}

function tileAt(props: BandsProps, { first, height }: Row, n: number, box: Box) {
  const { images, selection, current } = props.state;
  const index = first + n;
  const image = images.at(index);
  const { id } = image ?? {};
  return (
    <Tile
      key={id ?? index}
      id={props.idOf(index)}
      image={image}
      column={n}
      height={height}
      {...box}
      details={
        image && props.isTable ? detailsOf(image, props.folderOf(image.folder_id)) : undefined
      }
      badge={image && props.badgeOf?.(image)}
      selected={selection.has(id)}
      current={current.id === undefined ? index === images.indexOf(current) : id === current.id}
      draggable={!isTouched}
      {...pressing(props, index)}
      onDrag={(event) => {
        if (id === undefined) return;
        putThings(event, { images: selection.has(id) ? selection.ids : [id] });
      }}
      onStale={() => id !== undefined && images.renew(id)}
    />
  );
}

/** The newest first. */
const memosOf = ({ memos }: Image): string =>
  (memos ?? [])
    .map(({ message }) => message)
    .reverse()
    .join(' · ');

/** What a line of the table says of an image. */
const detailsOf = (image: Image, folder: string | undefined): readonly string[] => [
  image.taken_at ? time(image.taken_at) : '',
  [image.address_road ?? image.address_land, image.address_det].filter(Boolean).join(' '),
  image.building_name ?? '',
  image.original_name ?? '',
  folder ?? '',
  memosOf(image),
  time(image.created_at),
];
