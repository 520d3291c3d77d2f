import assert from 'node:assert/strict';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { photo } from '../../../testkit/photos.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import {
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  counted,
  narrow,
  openConsole,
} from '../harness.js';
import { msg } from '../words.js';

export function testFolders(world: ConsoleWorld): void {
  const { service } = world;

  test('a folder is uploaded with its contents, and each folder is created once', async (t) => {
    const directory = await temporaryDirectory('folder');
    t.after(() => rm(directory, { recursive: true }));
    const floor = join(directory, 'Site B/Floor 1');
    await mkdir(floor, { recursive: true });
    await cp(photo('landscape_6.jpg'), join(directory, 'Site B/front.jpg'));
    await cp(photo('Canon_40D.jpg'), join(floor, 'stairs.jpg'));
    await cp(photo('DSCN0010.jpg'), join(floor, 'hall.jpg'));

    const user = await service.user();
    const opening = { path: '/library?folder=root', token: user.token, browser: narrow };
    const { page, problems } = await openConsole(world, t, opening);
    await atPage(page, msg('library.root'));
    const search = await page.getByRole('search').boundingBox();
    assert.ok(search && search.width > 300, 'what to search for has a row of its own');
    await page.getByLabel(msg('upload.folder')).setInputFiles(join(directory, 'Site B'));
    await page.getByText(msg('upload.finished', { count: 3 })).waitFor();
    await page.getByRole('link', { name: msg('library.folderNamed', { title: 'Site B' }) }).click();
    await atPage(page, 'Site B');
    await counted(page, 2);
    await page
      .getByRole('link', { name: msg('library.folderNamed', { title: 'Floor 1' }) })
      .click();
    await atPage(page, 'Floor 1');
    await counted(page, 2);
    const made = await service.db.query<{ title: string }[]>(
      'SELECT title FROM folders WHERE user_id = $1 ORDER BY title',
      [user.id],
    );
    assert.deepEqual(
      made.map(({ title }) => title),
      ['Floor 1', 'Site B'],
    );
    assertNoProblems(problems);
  });
}
