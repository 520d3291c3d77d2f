import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import type { FiledataRecord } from '../../../src/library/images/schemas.js';
import { openBucket, type BucketConfig } from '../../../src/store/s3/bucket.js';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { bytesOf } from '../../../testkit/fetch.js';
import { readPhoto } from '../../../testkit/photos.js';
import { canvas, jpeg, namedPart, noise } from '../../../testkit/pictures.js';
import type { Image } from '../../../testkit/records.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../../testkit/s3.js';
import { ownService } from '../../../testkit/service.js';
import { assertAccessible } from '../accessible.js';

import {
  assertNoProblems,
  type ConsoleWorld,
  openConsole,
  shownTiles,
  signIn,
  standing,
} from '../harness.js';
import { koMsg, msg } from '../words.js';
import type { Member } from '../../../testkit/world.js';

/** A point of a picture, as shares of its width and height. */
type Spot = readonly [across: number, down: number];

type Color = readonly [red: number, green: number, blue: number];

const red: Color = [229, 52, 43];
const blue: Color = [47, 107, 255];

export function testMarking(world: ConsoleWorld): void {
  const { service } = world;

  async function upload(user: Member, bytes: Uint8Array, name: string): Promise<string> {
    const form = { image_data: namedPart(bytes, name) };
    const as = ['User', user.token] as const;
    return done(await service.client.post<Image>(user.images, { as, form })).id;
  }

  async function recordOf(user: Member, id: string): Promise<Image> {
    const as = ['User', user.token] as const;
    const query = { with_history: 'True' };
    return done(await service.client.get<Image>(`${user.images}/${id}`, { as, query }));
  }

  /** Waits for the versions of an image. @returns the last one. */
  async function versionOf(user: Member, id: string, count = 1): Promise<FiledataRecord> {
    let last: FiledataRecord | undefined;
    await eventually('the version is stored', async () => {
      const { filedatas } = await recordOf(user, id);
      last = filedatas?.at(-1);
      return filedatas?.length === count;
    });
    assert.ok(last);
    return last;
  }

  /** Opens a picture, to be drawn on. */
  async function open(
    scope: Parameters<typeof openConsole>[1],
    user: Member,
    bytes: Uint8Array,
    { name = 'site.jpg', ...more }: { name?: string; own?: boolean } = {},
  ) {
    const id = await upload(user, bytes, name);
    const path = `/library/images/${id}`;
    const opened = await openConsole(world, scope, { path, token: user.token, ...more });
    await opened.page.getByRole('button', { name: msg('markUp.title') }).click();
    const editor = opened.page.locator('dialog.marking');
    await editor.locator('.frame.drawing').waitFor(); // once the picture has been read
    await editor.locator('.shot img:not(.waiting)').last().waitFor();
    return { id, path, editor, ...opened };
  }

  test('what is drawn becomes a version, in its place, also of a photograph that lies on its side', async (t) => {
    const user = await service.user();
    const bytes = await readPhoto('landscape_6.jpg');
    const { id, page, editor, problems } = await open(t, user, bytes, { name: 'Roof 7.JPG' });
    const save = editor.getByRole('button', { name: msg('action.save') });
    assert.ok(await save.isDisabled());
    await choose(editor, msg('markUp.rectangle'), msg('markUp.width4'), msg('markUp.red'));
    await drag(page, editor, [0.1, 0.2], [0.4, 0.6]);
    await choose(editor, msg('markUp.arrow'), msg('markUp.width2'), msg('markUp.blue'));
    await drag(page, editor, [0.9, 0.1], [0.6, 0.5]);
    await choose(editor, msg('markUp.pen'));
    await drag(page, editor, [0.5, 0.9], [0.8, 0.9]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+Z');
    await assertAccessible(page, 'marking');
    await save.click();
    await editor.waitFor({ state: 'detached' });
    await page.getByText(msg('markUp.saved')).waitFor();
    const versions = page
      .getByRole('region', { name: msg('picture.versions') })
      .getByRole('listitem');
    await versions
      .filter({ hasText: `${msg('picture.editNumber', { n: 1 })} · ${msg('picture.current')}` })
      .waitFor();
    assert.equal(await versions.count(), 2);
    assert.match(page.url(), new RegExp(id));

    const version = await versionOf(user, id);
    const { resolution, original_name, image_resource_type } = version;
    assert.deepEqual(
      { resolution, original_name, image_resource_type },
      { resolution: '600x450', original_name: 'Roof 7.jpg', image_resource_type: 'jpeg' },
    );
    const colorAt = await pixelsOf(version);
    assertNear(await colorAt([0.1, 0.4]), red);
    assertNear(await colorAt([0.25, 0.6]), red);
    assertNear(await colorAt([0.75, 0.3]), blue);
    assertNear(await colorAt([0.61, 0.485]), blue);
    const before = await pixelsOf(await recordOf(user, id).then(uploaded));
    // Neither what is within the rectangle has changed, nor what was undone.
    assertNear(await colorAt([0.25, 0.4]), await before([0.25, 0.4]), 24);
    assertNear(await colorAt([0.65, 0.9]), await before([0.65, 0.9]), 24);
    assertNoProblems(problems);
  });

  test('a PNG of many megabytes is read in full, sent in parts, and as sharp as before', async (t) => {
    const user = await service.user();
    const bytes = await noise(2_000);
    const { id, page, editor, problems } = await open(t, user, bytes, { name: 'plan.png' });
    const sent = page.waitForRequest((one) => one.method() === 'PATCH');
    await choose(editor, msg('markUp.ellipse'), msg('markUp.width4'), msg('markUp.blue'));
    await drag(page, editor, [0.25, 0.25], [0.75, 0.75]);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    assert.match((await sent).url(), /\/uploads\//);
    await editor.waitFor({ state: 'detached' });
    const version = await versionOf(user, id);
    assert.deepEqual(
      [version.resolution, version.image_resource_type, version.original_name],
      ['2000x2000', 'png', 'plan.png'],
    );
    const [colorAt, before] = [await pixelsOf(version), await pixelsOf(bytes)];
    assertNear(await colorAt([0.25, 0.5]), blue);
    assertNear(await colorAt([0.5, 0.25]), blue);
    for (const spot of [
      [0.5, 0.5],
      [0.1, 0.1],
      [0.9, 0.3],
    ] as const) {
      assert.deepEqual(await colorAt(spot), await before(spot));
    }
    assertNoProblems(problems);
  });

  test('HEIC is drawn on as the whole picture is shown; what is seen through stays so', async (t) => {
    const user = await service.user();
    const heic = await open(t, user, await readPhoto('grid.heic'), { name: 'IMG_1.heic' });
    await choose(heic.editor, msg('markUp.rectangle'), msg('markUp.width4'), msg('markUp.red'));
    await drag(heic.page, heic.editor, [0.2, 0.3], [0.6, 0.8]);
    await heic.editor.getByRole('button', { name: msg('action.save') }).click();
    const version = await versionOf(user, heic.id);
    const { resolution } = uploaded(await recordOf(user, heic.id));
    assert.deepEqual(
      [version.resolution, version.image_resource_type, version.original_name],
      [resolution, 'jpeg', 'IMG_1.jpg'],
    );
    assertNear(await (await pixelsOf(version))([0.2, 0.5]), red);

    const clear = await canvas(400, 300, true).webp({ lossless: true }).toBuffer();
    const webp = await open(t, user, clear, { name: 'logo.webp' });
    await choose(webp.editor, msg('markUp.rectangle'), msg('markUp.width4'), msg('markUp.red'));
    await drag(webp.page, webp.editor, [0.2, 0.3], [0.6, 0.8]);
    await webp.editor.getByRole('button', { name: msg('action.save') }).click();
    const made = await versionOf(user, webp.id);
    assert.equal(made.image_resource_type, 'png');
    assert.equal((await sharp(await fileOf(made)).stats()).isOpaque, false);
    assertNoProblems([...heic.problems, ...webp.problems]);
  });

  test('a finger draws, two zoom; a picture too large for a phone is saved smaller, which is said', async (t) => {
    const user = await service.user();
    const bytes = await jpeg({ width: 5_000, height: 4_000 });
    const browser = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'ko-KR',
    };
    const id = await upload(user, bytes, 'wide.jpg');
    const path = `/library/images/${id}`;
    const { page, problems } = await openConsole(world, t, { path, browser });
    await page.locator('input').fill(user.token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: koMsg('markUp.title') }).click();
    const editor = page.locator('dialog.marking');
    await editor.getByText(koMsg('markUp.smaller', { width: 4579, height: 3663 })).waitFor();
    await assertAccessible(page, 'marking on a phone');
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.equal(wide, 390);
    const fingers = await fingersOf(page);
    const box = await standing(editor.locator('.shot'));
    const at = ([x, y]: Spot) => ({ x: box.x + x * box.width, y: box.y + y * box.height });
    await fingers([at([0.2, 0.5])], [at([0.5, 0.5])], [at([0.8, 0.5])]);
    const undo = editor.getByRole('button', { name: koMsg('markUp.undo'), exact: true });
    await undo.and(page.locator(':enabled')).waitFor();
    // The first of two fingers draws nothing.
    await fingers(
      [at([0.4, 0.2])],
      [at([0.4, 0.2]), at([0.6, 0.2])],
      [at([0.3, 0.2]), at([0.7, 0.2])],
    );
    await eventually(
      'it is zoomed',
      async () => (await standing(editor.locator('.shot'))).width > 500,
    );
    await undo.tap();
    assert.ok(await undo.isDisabled());
    await editor.getByRole('button', { name: koMsg('markUp.redo') }).tap();
    await editor.getByRole('button', { name: koMsg('action.save') }).tap();
    const version = await versionOf(user, id);
    assert.equal(version.resolution, '4579x3663');
    const colorAt = await pixelsOf(version);
    assertNear(await colorAt([0.5, 0.5]), red);
    const before = await pixelsOf(bytes);
    assertNear(await colorAt([0.5, 0.2]), await before([0.5, 0.2]), 40);
    assertNoProblems(problems);
  });

  test('the keyboard alone chooses tools, writes, takes back and saves', async (t) => {
    const user = await service.user();
    const bytes = await jpeg({ width: 1_600, height: 1_200 });
    const { id, page, editor, problems } = await open(t, user, bytes);
    const focused = (what: Locator): Promise<void> => what.and(page.locator(':focus')).waitFor();
    const surface = editor.getByRole('group', { name: msg('markUp.surface') });
    await focused(surface);
    await page.keyboard.press('t');
    const tool = (name: string): Locator =>
      editor
        .getByRole('toolbar', { name: msg('markUp.tools') })
        .getByRole('button', { name, exact: true });
    await tool(msg('markUp.text')).and(page.locator('[aria-pressed=true]')).waitFor();
    // The bar is one stop of the Tab key; arrows move within.
    await tool(msg('markUp.text')).focus();
    for (const name of [
      msg('markUp.width1'),
      msg('markUp.width2'),
      msg('markUp.width4'),
      msg('markUp.red'),
      msg('markUp.yellow'),
      msg('markUp.green'),
      msg('markUp.blue'),
    ]) {
      await page.keyboard.press('ArrowRight');
      await focused(tool(name));
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await editor.locator('.mark-tools :focus').count(), 0);
    await page.keyboard.press('Tab');
    await focused(tool(msg('markUp.blue')));

    const write = async (text: string, end: string): Promise<void> => {
      await surface.focus();
      await page.keyboard.press('Enter');
      await focused(editor.getByRole('textbox', { name: msg('markUp.text') }));
      await page.keyboard.type(text);
      await page.keyboard.press(end);
      await focused(surface);
    };
    const undo = editor.getByRole('button', { name: msg('action.undo') });
    await write('not this', 'Escape');
    assert.ok(await undo.isDisabled());
    await write('eapt', 'Enter');
    await page.keyboard.press('Control+z');
    assert.ok(await undo.isDisabled());
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+s');
    await editor.waitFor({ state: 'detached' });
    await focused(page.getByRole('button', { name: msg('markUp.title') }));
    const version = await versionOf(user, id);
    const [after, before] = [await rawOf(version), await rawOf(bytes)];
    // Right of the middle, where the text begins, and at its height.
    const isBlue = (x: number, y: number): boolean => {
      const color = [0, 1, 2].map((n) => after.data[(y * 1_600 + x) * after.channels + n] ?? 0);
      return near(color, blue, 40);
    };
    const xs = Array.from({ length: 1_600 }, (_, x) => x);
    const written = xs.filter((x) => [...Array(120).keys()].some((dy) => isBlue(x, 540 + dy)));
    assert.ok((written[0] ?? 0) >= 795 && (written.at(-1) ?? 0) > 900, `${written[0]}`);
    assert.equal(before.info, after.info);
    assertNoProblems(problems);
  });

  test('cancelling asks if something is drawn: by its button, Escape, and the button Back', async (t) => {
    const user = await service.user();
    const id = await upload(user, await jpeg(), 'site.jpg');
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    const editor = page.locator('dialog.marking');
    await shownTiles(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await editor.locator('.frame.drawing').waitFor();
    await page.goBack();
    await editor.waitFor({ state: 'detached' });
    assert.match(page.url(), new RegExp(id));
    await page.keyboard.press('m');
    await editor.locator('.frame.drawing').waitFor();
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    const question = page.getByRole('dialog', { name: msg('markUp.discard') });
    const stay = question.getByRole('button', { name: msg('action.cancel') });
    for (const ask of [
      () => page.keyboard.press('Escape'),
      () => page.goBack(),
      () => editor.getByRole('button', { name: msg('action.cancel') }).click(),
    ]) {
      await ask();
      await question.waitFor();
      await assertAccessible(page, 'discarding');
      await stay.click();
      await question.waitFor({ state: 'detached' });
      assert.match(page.url(), new RegExp(id));
    }
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const unload = await asked;
    assert.equal(unload.type(), 'beforeunload');
    await unload.dismiss();
    await closing;
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: msg('upload.discard') }).click();
    await editor.waitFor({ state: 'detached' });
    assert.deepEqual((await recordOf(user, id)).filedatas, []);
    await page.keyboard.press('m');
    await editor.locator('.frame.drawing').waitFor();
    assert.ok(await editor.getByRole('button', { name: msg('action.undo') }).isDisabled());
    assertNoProblems(problems);
  });

  test('a save that fails keeps the marks, is tried again, and stores one version', async (t) => {
    const user = await service.user();
    const { id, page, editor } = await open(t, user, await jpeg());
    const lost = '**/uploads';
    let tries = 0;
    await page.route(lost, async (route) => {
      tries += 1;
      // The version arrives, its answer does not.
      if (tries === 1) await route.fetch();
      await route.fulfill({
        status: 500,
        json: { error: { code: 'internal_error', message: '' } },
      });
    });
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    const retry = editor.getByRole('alert').getByRole('button', { name: msg('action.retry') });
    await retry.waitFor();
    assert.ok(await editor.getByRole('button', { name: msg('action.undo') }).isEnabled());
    await page.unroute(lost);
    await retry.click();
    await editor.waitFor({ state: 'detached' });
    await versionOf(user, id);
  });

  test('a picture in the trash, and a full storage, say so; then the marks are saved', async (t) => {
    const user = await service.user();
    const as = ['User', user.token] as const;
    const { id, page, editor } = await open(t, user, await jpeg());
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    const save = editor.getByRole('button', { name: msg('action.save') });
    const trash = (into: 'True' | 'False') =>
      service.client.put(`${user.images}/${id}`, { as, form: { delete: into } });
    done(await trash('True'));
    await save.click();
    await editor.getByRole('alert').getByText(msg('problem.image_in_trash')).waitFor();
    done(await trash('False'));
    const quota = 'UPDATE users SET max_storage_bytes = $2 WHERE id = $1';
    const setQuota = (bytes: number): Promise<unknown> => service.db.query(quota, [user.id, bytes]);
    await setQuota(1);
    await save.click();
    await editor.getByRole('alert').getByText(msg('problem.storage_quota_exceeded')).waitFor();
    await setQuota(1e9);
    await save.click();
    await editor.waitFor({ state: 'detached' });
    await versionOf(user, id);

    done(await trash('True'));
    await page.reload();
    await page.getByRole('button', { name: msg('action.restore') }).waitFor();
    assert.equal(await page.getByRole('button', { name: msg('markUp.title') }).count(), 0);
  });

  test('marks outlast a session that ends before they are saved', async (t) => {
    const user = await service.user();
    const { id, page, editor } = await open(t, user, await jpeg(), { own: true });
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    const first = `**/users/${user.id}`;
    await page.route(first, (route) =>
      route.fulfill({ status: 401, json: { error: { code: 'token_expired', message: '' } } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 401);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    await refused;
    await page.getByText('site.jpg').waitFor();
    await page.unroute(first);
    await signIn(page, user.token);
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await editor
      .getByRole('button', { name: msg('action.save') })
      .and(page.locator(':enabled'))
      .click();
    await editor.waitFor({ state: 'detached' });
    await versionOf(user, id);
  });

  test('an earlier version is drawn on as it was; a picture on another server says why it is not', async (t) => {
    const user = await service.user();
    const { id, page, editor, path } = await open(t, user, await jpeg({ width: 800, height: 600 }));
    await choose(editor, msg('markUp.rectangle'), msg('markUp.width4'), msg('markUp.red'));
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    await page
      .getByRole('button', { name: msg('picture.showVersion', { version: msg('picture.upload') }) })
      .click();
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await editor.locator('.frame.drawing').waitFor();
    await drag(page, editor, [0.7, 0.7], [0.9, 0.9]);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    const version = await versionOf(user, id, 2);
    const before = await pixelsOf(await recordOf(user, id).then(uploaded));
    assertNear(await (await pixelsOf(version))([0.2, 0.4]), await before([0.2, 0.4]), 24);
    assertNear(await (await pixelsOf(version))([0.8, 0.8]), red, 60);

    await page.route(`**/images/${id}?*`, async (route) => {
      const answer = await route.fetch();
      const { result, ...rest } = (await answer.json()) as { result: Image };
      const away = (url = ''): string => url.replace(service.service.url, 'https://s3.example.com');
      const filedatas = result.filedatas?.map((one) => ({ ...one, full_url: away(one.full_url) }));
      await route.fulfill({
        response: answer,
        json: { ...rest, result: { ...result, filedatas } },
      });
    });
    await page.goto(`${world.url}${path}`);
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    const note = editor.getByRole('alert');
    await note.getByText(msg('problem.not_readable')).waitFor();
    await note.getByText('CORS rules').waitFor();
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });

    // Where the bucket serves the files, a picture that is made first is a redirection to it.
    await page.unroute(`**/images/${id}?*`);
    await page.route(version.full_url ?? '', (route) =>
      route.fulfill({ status: 302, headers: { Location: 'https://s3.example.com/made.jpg' } }),
    );
    await page.reload();
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await note.getByText(msg('problem.not_readable')).waitFor();
  });

  test('a bucket that serves the pictures itself has to let the page read them', async (t) => {
    const bucketConfig = newBucketConfig();
    t.after(() => removeBucket(bucketConfig));
    const direct = await ownService(t, s3Settings(bucketConfig));
    const user = await direct.user();
    const form = { image_data: namedPart(await jpeg(), 'site.jpg') };
    const as = ['User', user.token] as const;
    const { id } = done(await direct.client.post<Image>(user.images, { as, form }));
    const there = { ...world, service: direct, url: `${direct.service.url}/console` };
    const opening = { path: `/library/images/${id}`, token: user.token };
    const { page } = await openConsole(there, t, opening);
    const editor = page.locator('dialog.marking');
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await editor.getByRole('alert').getByText(msg('problem.not_readable')).waitFor();
    await page.keyboard.press('Escape');
    await allowReading(bucketConfig, direct.service.url);
    await page.getByRole('button', { name: msg('markUp.title') }).click();
    await editor.locator('.frame.drawing').waitFor();
    await drag(page, editor, [0.2, 0.2], [0.6, 0.6]);
    await editor.getByRole('button', { name: msg('action.save') }).click();
    await page
      .getByText(`${msg('picture.editNumber', { n: 1 })} · ${msg('picture.current')}`)
      .waitFor();
  });
}

/** Lets pages of an origin read what is in a bucket. */
async function allowReading(bucketConfig: BucketConfig, origin: string): Promise<void> {
  const { endpoints, name } = openBucket(bucketConfig);
  const rule = `<AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>GET</AllowedMethod>`;
  const body = `<CORSConfiguration><CORSRule>${rule}</CORSRule></CORSConfiguration>`;
  const headers = { 'Content-MD5': createHash('md5').update(body).digest('base64') };
  const request = { method: 'PUT', bucketName: name, query: 'cors', headers };
  await endpoints.call((client) => client.makeRequestAsyncOmit(request, body, [200, 204]));
}

/** What was uploaded, of a record. */
const uploaded = ({ org_path_url, resolution }: Image) => ({
  full_url: org_path_url,
  resolution,
});

async function choose(editor: Locator, ...names: readonly string[]): Promise<void> {
  const bar = editor.getByRole('toolbar', { name: msg('markUp.tools') });
  for (const name of names) await bar.getByRole('button', { name, exact: true }).click();
}

/** Draws with the mouse. */
async function drag(page: Page, editor: Locator, from: Spot, to: Spot): Promise<void> {
  const { x, y, width, height } = await standing(editor.locator('.shot'));
  const at = ([across, down]: Spot) => [x + across * width, y + down * height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 8 });
  await page.mouse.up();
}

/** Puts fingers on the page, moves them from one state to the next, and lifts them. */
async function fingersOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  return async (...states: readonly { readonly x: number; readonly y: number }[][]) => {
    let down = 0;
    for (const points of states) {
      const type = points.length > down ? 'touchStart' : 'touchMove';
      const touchPoints = points.map((point, id) => ({ ...point, id }));
      await session.send('Input.dispatchTouchEvent', { type, touchPoints });
      down = points.length;
    }
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
}

const fileOf = ({ full_url: url = '' }: { full_url?: string | undefined }): Promise<Buffer> =>
  bytesOf(url);

type Source = Uint8Array | { full_url?: string | undefined };

async function rawOf(source: Source) {
  const bytes = source instanceof Uint8Array ? source : await fileOf(source);
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, channels: info.channels, info: `${info.width}x${info.height}` };
}

/** The colors of a picture, upright. */
async function pixelsOf(source: Source) {
  const { data, channels, info } = await rawOf(source);
  const [width = 0, height = 0] = info.split('x').map(Number);
  return async ([across, down]: Spot): Promise<number[]> => {
    const at = (Math.round(down * height) * width + Math.round(across * width)) * channels;
    return [...data.subarray(at, at + 3)];
  };
}

const near = (color: readonly number[], to: readonly number[], by: number): boolean =>
  color.every((value, n) => Math.abs(value - (to[n] ?? 0)) <= by);

const assertNear = (color: readonly number[], to: readonly number[], by = 60): void =>
  assert.ok(near(color, to, by), `${color.join(', ')} instead of ${to.join(', ')}`);
