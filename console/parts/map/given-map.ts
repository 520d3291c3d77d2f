import type { BaseMap } from '../../core/service';
import { addProtocol } from './engine';
import type { SourceSpecification, StyleSpecification } from './engine';

// The base map that the setting map.basemap names: pictures are shown as they are; vector tiles in the
// colors of the theme, as far as their layers have the names of Protomaps or OpenMapTiles.

type Layer = StyleSpecification['layers'][number];
type Given = Pick<StyleSpecification, 'sources' | 'layers'>;

/** A color of the style sheet. */
type ColorOf = (name: `--${string}`) => string;

const source = 'given';

export async function givenMap({ tiles, attribution }: BaseMap, color: ColorOf): Promise<Given> {
  const credit = attribution === undefined ? {} : { attribution };
  if (tiles.endsWith('.pmtiles')) return archive(tiles, credit, color);
  const isVector = /\.(mvt|pbf)($|\?)/.test(tiles);
  return isVector
    ? vector({ type: 'vector', tiles: [tiles], ...credit }, color)
    : raster({ type: 'raster', tiles: [tiles], tileSize: 256, ...credit });
}

/** One file with all tiles, read in ranges. The module that reads it is loaded when it is needed. */
async function archive(
  archiveUrl: string,
  credit: { attribution?: string },
  color: ColorOf,
): Promise<Given> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles');
  const protocol = new Protocol();
  const file = new PMTiles(archiveUrl);
  protocol.add(file);
  addProtocol('pmtiles', protocol.tile);
  const { tileType } = await file.getHeader();
  const url = `pmtiles://${archiveUrl}`;
  return tileType === TileType.Mvt
    ? vector({ type: 'vector', url, ...credit }, color)
    : raster({ type: 'raster', url, tileSize: 256, ...credit });
}

const raster = (pictures: SourceSpecification): Given => ({
  sources: { [source]: pictures },
  layers: [{ id: source, type: 'raster', source }],
});

function vector(tiles: SourceSpecification, colorOf: ColorOf): Given {
  const [land, water, border] = [
    colorOf('--map-land'),
    colorOf('--map-water'),
    colorOf('--map-border'),
  ];
  const area = (name: string, color: string): Layer => ({
    id: name,
    type: 'fill',
    source,
    'source-layer': name,
    paint: { 'fill-color': color },
  });
  const line = (name: string, width: number): Layer => ({
    id: `${name} lines`,
    type: 'line',
    source,
    'source-layer': name,
    paint: { 'line-color': border, 'line-width': width },
  });
  const names = (name: string): Layer => ({
    id: `${name} names`,
    type: 'symbol',
    source,
    'source-layer': name,
    layout: { 'text-field': ['get', 'name'], 'text-font': ['sans-serif'], 'text-size': 12 },
    paint: {
      'text-color': colorOf('--muted'),
      'text-halo-color': land,
      'text-halo-width': 1.2,
    },
  });
  const background: Layer = {
    id: 'land',
    type: 'background',
    paint: { 'background-color': land },
  };
  return {
    sources: { [source]: tiles },
    layers: [
      background,
      area('earth', land),
      area('water', water),
      line('boundaries', 1),
      line('boundary', 1),
      line('roads', 0.8),
      line('transportation', 0.8),
      names('places'),
      names('place'),
    ],
  };
}
