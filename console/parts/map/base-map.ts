import { language } from '../../core/i18n';
import { serviceSettings } from '../../core/service';
import { colorOf } from '../../core/theme';
import { countryNames } from './country-names';
import type { StyleSpecification } from './engine';
import { givenMap } from './given-map';
import url from 'world-atlas/countries-50m.json?url';
import { problemOf } from '../../core/problem';
import { unanswered } from '../../core/reach';
import { outlinesOf } from './countries';
import type { Outlines, World } from './countries';

/** The map below the images, in the colors of its container and the reader's language. Names are drawn with fonts of this device. */
export async function baseStyle(container: HTMLElement): Promise<StyleSpecification> {
  const color = (name: `--${string}`): string => colorOf(name, container);
  const { basemap } = await serviceSettings();
  if (basemap) {
    const { sources, layers } = await givenMap(basemap, color);
    return { version: 8, sources, layers: [water(color('--map-water')), ...layers] };
  }
  const { countries, borders, lands } = await readOutlines();
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: countries, tolerance: 0.2 },
      borders: { type: 'geojson', data: borders, tolerance: 0.2 },
      names: { type: 'geojson', data: countryNames(lands, language.value) },
    },
    layers: [
      water(color('--map-water')),
      {
        id: 'land',
        type: 'fill',
        source: 'countries',
        paint: { 'fill-color': color('--map-land'), 'fill-antialias': false },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': color('--map-border'), 'line-width': 0.8 },
      },
      {
        id: 'names',
        type: 'symbol',
        source: 'names',
        // A name is shown where its country is roughly wider than the text.
        filter: ['>', ['*', ['get', 'width'], ['^', 2, ['zoom']]], 60],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['sans-serif'],
          'text-size': 11.5,
          'symbol-sort-key': ['-', ['get', 'width']],
        },
        paint: {
          'text-color': color('--muted'),
          'text-halo-color': color('--map-land'),
          'text-halo-width': 1.2,
        },
      },
    ],
  };
}

const water = (color: string): StyleSpecification['layers'][number] => ({
  id: 'water',
  type: 'background',
  paint: { 'background-color': color },
});

// The base map included with the console: countries of Natural Earth, which is in the public domain.

let reading: Promise<Outlines> | undefined;

/** Read once, when the first map is drawn. */
function readOutlines(): Promise<Outlines> {
  reading ??= read().catch((problem: unknown) => {
    reading = undefined;
    throw problem;
  });
  return reading;
}

async function read(): Promise<Outlines> {
  const answer = await fetch(url).catch(() => {
    throw unanswered();
  });
  if (!answer.ok) throw problemOf(answer.status, undefined);
  return outlinesOf((await answer.json()) as World);
}
