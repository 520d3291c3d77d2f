import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPhoto } from '../../testkit/photos.js';
import { eventually } from '../../testkit/eventually.js';
import { Relay } from '../../testkit/relay.js';
import { dropFiles } from './dropping.js';
import { atPage, openConsole } from './harness.js';
import type { ConsoleWorld } from './harness.js';

export function testUploading(world: ConsoleWorld): void {
  const { service } = world;

  test('an upload whose answer is lost, on a server that goes away, is stored once', async (t) => {
    const user = await service.user();
    const relay = await Relay.to(service.service.url);
    t.after(() => relay.cut());
    const through = { ...world, url: `${relay.address}/console` };
    const opening = { path: '/library', token: user.token, browser: {} };
    const { page } = await openConsole(through, t, opening);
    await atPage(page, 'All images');
    await page.getByText('There are no images here yet.').waitFor();

    relay.mode = 'drop-answers';
    const bytes = await readPhoto('landscape_6.jpg');
    await dropFiles(page, [{ name: 'one.jpg', type: 'image/jpeg', bytes }]);
    await page.getByText('0 of 1 files uploaded').waitFor();
    await storedImages(world, user.id, 1);
    await relay.cut();
    relay.mode = 'pass';
    await relay.reconnect();
    await page.getByText('1 file uploaded').waitFor();

    await page.context().setOffline(true);
    const other = await readPhoto('Canon_40D.jpg');
    await dropFiles(page, [{ name: 'two.jpg', type: 'image/jpeg', bytes: other }]);
    await page.getByText('0 of 1 files uploaded').waitFor();
    await page.context().setOffline(false);
    await page.getByText('2 items ·').waitFor();
    assert.equal(await countOf(world, user.id), 2);
  });
}

export async function countOf({ service }: ConsoleWorld, userId: string): Promise<number> {
  const rows = await service.db.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM images WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Waits until the server has stored so many, whatever its clients know of it. */
const storedImages = (world: ConsoleWorld, userId: string, wanted: number): Promise<void> =>
  eventually(`${wanted} stored`, async () => (await countOf(world, userId)) === wanted);
