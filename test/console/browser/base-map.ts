import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole, type ConsoleWorld } from '../harness.js';
import { mapPixels } from '../maps.js';

interface Area {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

interface Camera {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

type Color = readonly number[];

// The light theme, as in parts/map/map.css.
const water: Color = [0xdf, 0xe7, 0xee];
const land: Color = [0xf7, 0xf6, 0xf2];

const isColor = (wanted: Color, color: Color): boolean =>
  wanted.every((value, channel) => Math.abs(value - (color[channel] ?? 0)) <= 3);

/** Names are darker than everything else. */
const isText = ([red = 255]: Color): boolean => red < 160;

/** Degrees to the projection's plane, in which the world is 1 wide and 1 high, from the north-west. */
const planeX = (longitude: number): number => (longitude + 180) / 360;
const planeY = (latitude: number): number =>
  (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;

export function testBaseMap(world: ConsoleWorld): void {
  const { service } = world;

  test('the base map has land, water, and names of countries', async (t) => {
    const { token } = await service.user();
    const browser = { deviceScaleFactor: 1 };
    const { page } = await openConsole(world, t, { path: '/', token, browser });

    /** The colors of the map around a point. @returns those in an area of it. */
    async function drawn({ latitude, longitude, zoom }: Camera) {
      await page.goto(`${world.url}/map?at=${latitude},${longitude},${zoom}`);
      const { data, info } = await mapPixels(page);
      const size = 512 * 2 ** zoom;
      const column = (of: number): number =>
        Math.round(info.width / 2 + (planeX(of) - planeX(longitude)) * size);
      const row = (of: number): number =>
        Math.round(info.height / 2 + (planeY(of) - planeY(latitude)) * size);
      return ({ south, north, west, east }: Area): Color[] => {
        const [left, right, top, bottom] = [column(west), column(east), row(north), row(south)];
        assert.ok(left >= 0 && right < info.width && top >= 0 && bottom < info.height, 'in view');
        const colors: Color[] = [];
        for (let y = top; y <= bottom; y += 1) {
          for (let x = left; x <= right; x += 1) {
            const at = (y * info.width + x) * 3;
            colors.push([...data.subarray(at, at + 3)]);
          }
        }
        return colors;
      };
    }
    const around = (latitude: number, longitude: number, degrees: number): Area => ({
      south: latitude - degrees / 2,
      north: latitude + degrees / 2,
      west: longitude - degrees,
      east: longitude + degrees,
    });
    const assertAll = (wanted: Color, colors: readonly Color[], where: string): void => {
      const others = colors.filter((color) => !isColor(wanted, color));
      assert.equal(others.length, 0, `${where}: ${others.length} of ${colors.length} pixels`);
    };

    // Where countries lie and end is a test of parts/map/countries.
    const middle = await drawn({ latitude: 43, longitude: 0, zoom: 1.3 });
    assertAll(water, middle({ south: 64, north: 74, west: -6, east: 4 }), 'off Norway');
    const west = await drawn({ latitude: 66, longitude: -163, zoom: 4.5 });
    assertAll(land, west(around(65.8, -174.5, 0.4)), 'in Chukotka');
    const siberia = await drawn({ latitude: 64, longitude: 108, zoom: 3 });
    assert.ok(siberia(around(64, 108.3, 6)).some(isText), 'Russia is named in Siberia');
  });
}
