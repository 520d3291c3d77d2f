import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crosses, cutLine, cutRing } from './antimeridian';
import { outlinesOf } from './countries';
import type { World } from './countries';
import { countryNames } from './country-names';
import { labelPlace } from './label-place';

test('a line over the end of the map is cut there', () => {
  const line = [
    [170, 60],
    [-170, 70],
  ];
  assert.ok(crosses(line));
  assert.deepEqual(cutLine(line), [
    [
      [170, 60],
      [180, 65],
    ],
    [
      [-180, 65],
      [-170, 70],
    ],
  ]);
  const inland = [
    [-60, 0],
    [100, 0],
  ];
  assert.ok(!crosses(inland));
  assert.deepEqual(cutLine(inland), [inland]);
});

test('a country at both ends of the map has a part at each, and the pole goes along its edge', () => {
  const square = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
  ];
  const east = (ring: readonly (readonly number[])[]) => ring.map(([degrees = 0]) => degrees);
  const parts = cutRing(square).map((ring) => [Math.min(...east(ring)), Math.max(...east(ring))]);
  assert.deepEqual(parts.sort(), [
    [-180, -170],
    [170, 180],
  ]);
  const antarctica = [-180, -90, 0, 90, 179].map((degrees) => [degrees, -70]);
  const [whole, ...others] = cutRing([...antarctica, [-180, -70]]);
  assert.deepEqual(others, []);
  assert.deepEqual([...new Set(whole?.map(([, latitude]) => latitude))].sort(), [-70, -90]);
});

test('a name is where a country has most room, and not in a hole', () => {
  const box = (west: number, south: number, east: number, north: number) => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const [longitude = 0, latitude = 0] = labelPlace([box(0, 0, 40, 10)]) ?? [];
  assert.equal(longitude, 20);
  assert.ok(latitude > 3 && latitude < 7, String(latitude));
  // Wide in the south, narrow in the north.
  const [, south = 0] =
    labelPlace([
      [...box(0, 0, 40, 10).slice(0, 3), [22, 10], [22, 40], [18, 40], [18, 10], [0, 10], [0, 0]],
    ]) ?? [];
  assert.ok(south < 10, String(south));
  const [beside = 0] = labelPlace([box(0, 0, 40, 10), box(1, 1, 25, 9)]) ?? [];
  assert.ok(beside > 25, String(beside));
  assert.equal(labelPlace([]), undefined);
});

const world = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json')), 'utf8'),
) as World;
const { countries, borders, lands } = outlinesOf(world);

/** Whether a place is on land: an odd number of edges is east of it. */
const isLand = (latitude: number, longitude: number): boolean =>
  countries.features.some(({ geometry }) => {
    const polygons = geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
    return polygons.some((rings) => {
      let inside = false;
      for (const ring of rings) {
        for (const [n, [x = 0, y = 0]] of ring.entries()) {
          const [fromX = 0, fromY = 0] = ring.at(n - 1) ?? [];
          const isBeside = y > latitude !== fromY > latitude;
          if (isBeside && longitude < x + ((latitude - y) / (fromY - y)) * (fromX - x))
            inside = !inside;
        }
      }
      return inside;
    });
  });

test('the countries of the base map end at 180°, and lie where they do on the earth', () => {
  const positions = [countries.features.map(({ geometry }) => geometry), borders]
    .flat()
    .flatMap((shape) => ('coordinates' in shape ? shape.coordinates.flat(3).map(Number) : []));
  assert.ok(positions.length > 100_000 && positions.every((degrees) => Math.abs(degrees) <= 180));
  for (const [latitude, longitude, where] of [
    [65.8, -174.5, 'east of 180°'],
    [66, 179, 'west of 180°'],
    [-73, 20, 'in Antarctica'],
    [-89, -179, 'at the pole'],
    [62, 108, 'in Siberia'],
  ] as const) {
    assert.ok(isLand(latitude, longitude), where);
  }
  for (const [latitude, longitude, where] of [
    [70, 0, 'off Norway'],
    [-16, 0, 'in the Atlantic'],
    [-62, 0, 'north of Antarctica'],
    [66, -168.9, 'in the Bering Strait'],
  ] as const) {
    assert.ok(!isLand(latitude, longitude), where);
  }
});

test('names are on the largest part of a country, in the language of the reader', () => {
  const at = (name: string): readonly number[] =>
    lands.find(({ properties }) => properties.name === name)?.geometry.coordinates ?? [];
  const near = (
    name: string,
    [longitude = 0, latitude = 0]: readonly number[],
    by: number,
  ): void => {
    const [x = 0, y = 0] = at(name);
    assert.ok(Math.hypot(x - longitude, y - latitude) <= by, `${name} at ${x}, ${y}`);
  };
  near('Russia', [108, 64], 15);
  near('Fiji', [178, -17.8], 0.5);
  const named = (language: 'en' | 'ko', name: string): unknown =>
    countryNames(lands, language).features[
      lands.findIndex(({ properties }) => properties.name === name)
    ]?.properties?.name;
  assert.deepEqual([named('ko', 'Germany'), named('en', 'Germany')], ['독일', 'Germany']);
  assert.deepEqual(
    [named('ko', 'Kosovo'), named('en', 'Dem. Rep. Congo')],
    ['코소보', 'Congo - Kinshasa'],
  );
});
