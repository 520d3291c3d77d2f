import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import sharp from 'sharp';
import { testDatabase } from '../../../testkit/database.js';
import { lastFirst } from '../../../testkit/scope.js';
import type { Scope } from '../../../testkit/scope.js';
import { ownService } from '../../../testkit/service.js';
import { openConsole, type ConsoleWorld } from '../harness.js';
import { mapPixels } from '../maps.js';
import { msg } from '../words.js';
import { pmtilesFile } from './pmtiles-file.js';

const color = { r: 200, g: 60, b: 40 };

/** Serves a file in ranges to pages of other servers. @returns its URL, and the ranges asked for. */
async function servingRanges(scope: Scope, file: Buffer) {
  const ranges: string[] = [];
  const server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'range');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const [, first = '0', last = ''] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    ranges.push(`${request.url ?? ''} ${request.headers.range ?? 'whole'}`);
    const part = file.subarray(Number(first), Number(last) + 1);
    const end = Number(first) + part.length - 1;
    response.setHeader('Content-Range', `bytes ${first}-${end}/${file.length}`);
    response.writeHead(206).end(part);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges };
}

export function testGivenMap({ browser }: ConsoleWorld): void {
  test('a PMTiles archive of map.basemap is drawn below the images', async (t) => {
    const size = { width: 256, height: 256, channels: 3 } as const;
    const tile = await sharp({ create: { ...size, background: color } })
      .png()
      .toBuffer();
    const { url, ranges } = await servingRanges(t, pmtilesFile(tile));
    const scope = lastFirst(t); // the service before its database
    const { url: database } = await testDatabase(scope);
    const service = await ownService(scope, {
      'database.url': database,
      'map.basemap': `${url}/world.pmtiles`,
      'map.attribution': 'City of Seoul',
    });
    const { token } = await service.user();
    const world = { service, browser, url: `${service.service.url}/console` };
    const at = '/map?at=37.56000,126.97000,9.00';
    const { page, problems } = await openConsole(world, t, { path: at, token });
    const { data, info } = await mapPixels(page);
    const middle = 3 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2));
    assert.deepEqual([...data.subarray(middle, middle + 3)], Object.values(color));
    await page.locator('.map-view').getByText('City of Seoul').waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('button', { name: msg('map.whyEmpty') }).count(), 0);
    // Only the archive is asked for, and only in ranges: the policy of the page allows no other host.
    assert.ok(ranges.length > 0);
    assert.deepEqual(
      ranges.filter((range) => !/^\/world\.pmtiles bytes=\d+-\d+$/.test(range)),
      [],
    );
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith(url)),
      [],
    );
  });
}
