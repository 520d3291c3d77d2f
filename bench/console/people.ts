import { stripVTControlCharacters } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { dropFiles, photographs } from '../../test/console/dropping.js';
import { asksForToken, atPage, counted, drawn, openConsole } from '../../test/console/harness.js';
import { msg } from '../../test/console/words.js';
import { figure } from '../harness/report.js';
import { report } from '../private-service.js';
import { dayOf, ownWindow, problemsIn, stock, type Desk, type Section } from './traffic.js';

/** Milliseconds for what a step waits for. */
const patienceMs = 120_000;
const dropped = 30;

/** Somebody at the console: what it takes of them to get something done. */
class Person {
  #clicks = 0;
  #keys = 0;
  readonly rows: string[][] = [];

  constructor(
    readonly page: Page,
    private readonly role: string,
  ) {}

  async click(on: Locator): Promise<void> {
    this.#clicks += 1;
    await on.click();
  }

  /** Clicks on what has this name. */
  press = (role: 'button' | 'menuitem' | 'link' | 'treeitem', name: string, exact = false) =>
    this.click(this.page.getByRole(role, { name, exact }).last());

  async key(key: string): Promise<void> {
    this.#keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Types words, after a click into the field unless it has the focus. */
  async type(into: Locator, words: string): Promise<void> {
    await into.waitFor();
    const hasFocus = (await into.and(this.page.locator(':focus')).count()) > 0;
    if (!hasFocus) await this.click(into);
    this.#keys += 1;
    await into.fill(words);
  }

  /** Drags files into the window. */
  async drop(count: number): Promise<void> {
    this.#clicks += 1;
    await dropFiles(this.page, await photographs(count));
  }

  /** Selects all of a day, scrolling to it. */
  async tick(day: string): Promise<void> {
    const date = new Date(day).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
    const name = new RegExp(`${msg('library.selectDay')}.*${date}\\b`);
    const box = this.page.getByRole('checkbox', { name });
    await this.page.locator('.day-tick').first().waitFor();
    await this.page.mouse.move(640, 500);
    for (let turn = 0; turn < 40 && (await box.count()) === 0; turn += 1) {
      await this.page.mouse.wheel(0, 300);
      await this.page.waitForTimeout(50);
    }
    await this.click(box);
  }

  says = (text: string): Promise<void> => this.page.getByText(text).last().waitFor();

  /** Gets something done. @throws Error that says what could not be. */
  async does(what: string, act: () => Promise<unknown>): Promise<void> {
    const [clicks, keys, began] = [this.#clicks, this.#keys, performance.now()];
    try {
      await act();
    } catch (error) {
      const lines = stripVTControlCharacters((error as Error).message).split('\n');
      const why = lines.find((line) => line.includes('waiting for')) ?? lines[0];
      throw new Error(`${this.role}: ${what}: ${why}`, { cause: error });
    }
    const seconds = figure((performance.now() - began) / 1_000);
    report(`${this.role}: ${what}: ${seconds} s`);
    const counts = [this.#clicks - clicks, this.#keys - keys].map(String);
    this.rows.push([`${this.role}: ${what}`, ...counts, `${seconds} s`]);
  }

  async signIn(token: string): Promise<void> {
    await this.type(this.page.getByLabel(msg('signIn.token')), token);
    await this.key('Enter');
  }
}

/** Clicks, keys, and seconds of what people do, one step after the other. */
export async function actAsPeople(desk: Desk): Promise<Section> {
  const { tenant } = desk;
  const user = await tenant.user('Kim');
  await stock(desk, user);
  await user.folder('Archive');
  const [rows, findings]: [string[][], string[]] = [[], []];
  for (const [role, token, act] of [
    ['photographer', user.token, photograph],
    ['clerk', user.token, keepOrder],
    ['operator', tenant.token, operate],
  ] as const) {
    const { page, problems } = await openConsole(desk, desk.scope, ownWindow);
    page.setDefaultTimeout(patienceMs);
    await asksForToken(page);
    const person = new Person(page, role);
    await act(person, token).catch((error: unknown) => findings.push((error as Error).message));
    findings.push(...problemsIn(problems));
    rows.push(...person.rows);
    await page.context().close();
  }
  return { head: ['What people do', 'Clicks', 'Keys', 'Until it is seen'], rows, findings };
}

async function photograph(me: Person, token: string): Promise<void> {
  const { page } = me;
  await me.does('open the console and sign in', async () => {
    await page.reload();
    await me.signIn(token);
    await page.locator('.tile img').first().waitFor();
    await drawn(page, '.tile img');
  });
  await me.does(`upload ${dropped} pictures into a new folder`, async () => {
    await me.press('button', msg('upload.menu'), true);
    await me.press('menuitem', msg('library.newFolder'));
    await me.type(page.getByLabel(msg('library.folderName')), 'Mill');
    await me.key('Enter');
    await me.press('treeitem', 'Mill');
    await atPage(page, 'Mill');
    await me.drop(dropped);
    await me.says(msg('upload.finished', { count: dropped }));
    await counted(page, dropped);
    await drawn(page, '.tile img');
  });
  await me.does('put an address on all of them', async () => {
    await me.click(page.getByRole('checkbox', { name: msg('library.selectDay') }).first());
    await me.says(msg('library.selected', { count: dropped }));
    await me.press('button', msg('action.describe'));
    await me.press('menuitem', msg('picture.address'));
    await me.type(page.getByLabel(msg('field.address_road')), 'Mill Lane 3');
    await me.key('Enter');
    await me.says(msg('library.changed', { count: dropped }));
  });
}

async function keepOrder(me: Person, token: string): Promise<void> {
  const { page } = me;
  await me.signIn(token);
  await page.locator('.tile img').first().waitFor();
  await me.does('find a picture by its address and open it', async () => {
    await me.type(page.getByLabel(msg('library.search')), 'Harbour Road 17');
    await me.key('Enter');
    await counted(page, 2);
    await me.click(page.locator('.tile').first());
    await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
  });
  await me.does('compare it with another of the same spot', async () => {
    await me.press('button', msg('picture.compareWith'));
    const other = page.locator('.frames .frame').nth(1);
    await other.locator('img:not(.waiting)').nth(1).waitFor();
  });
  await me.does('select a day and move it to another folder', async () => {
    await me.key('Escape');
    await page.locator('.frames').waitFor({ state: 'detached' });
    await me.key('Escape');
    await counted(page, 2);
    await me.press('link', msg('library.title'), true);
    await counted(page, 100 + dropped);
    await me.tick(dayOf(0));
    await me.says(msg('library.selected', { count: 25 }));
    await me.press('button', msg('action.move'));
    await me.click(page.getByRole('dialog').getByRole('treeitem', { name: 'Archive' }));
    await me.press('button', msg('action.moveHere'));
    await me.says(msg('library.moved', { count: 25 }));
    await page.getByRole('treeitem', { name: /Archive 25/ }).waitFor();
  });
  await me.does('make a link for a folder and copy it', async () => {
    await me.press('treeitem', msg('library.root'));
    await me.press('button', msg('library.actionsFor', { title: 'Site B' }));
    await me.press('menuitem', msg('action.link'));
    await me.press('button', msg('action.create'));
    await me.press('button', msg('copy.named', { name: msg('links.url') }));
    await me.says(msg('copy.done'));
    await me.press('button', msg('action.done'));
    await me.says(msg('links.made'));
  });
  await me.does('open what a circle on the map finds as a list', async () => {
    await me.press('link', msg('map.title'), true);
    await page.locator('.map-view[aria-busy=false]').waitFor();
    await me.press('button', msg('map.circle'));
    await me.press('button', msg('map.found'));
    await me.press('menuitem', msg('map.asList'));
    await me.says(msg('library.inCircle'));
    await page.locator('.tile img').first().waitFor();
    await drawn(page, '.tile img');
  });
  await me.does(`make a ledger (PDF) of a folder with ${dropped} pictures`, async () => {
    await me.press('treeitem', 'Mill');
    await atPage(page, 'Mill');
    await counted(page, dropped);
    await me.click(page.getByRole('checkbox', { name: msg('library.selectDay') }).first());
    await me.says(msg('library.selected', { count: dropped }));
    await me.press('button', msg('ledger.title'));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      me.press('button', msg('ledger.download'), true),
    ]);
    await file.path();
    if (!file.suggestedFilename().endsWith('.pdf')) throw new Error(file.suggestedFilename());
  });
  await me.does('delete 50 pictures and take that back', async () => {
    await me.press('link', msg('library.title'), true);
    await counted(page, 100 + dropped);
    await me.tick(dayOf(3));
    await me.tick(dayOf(2));
    await me.says(msg('library.selected', { count: 50 }));
    await me.press('button', msg('action.trash'));
    await me.says(msg('library.trashed', { count: 50 }));
    await me.press('button', msg('action.undo'));
    await me.says(msg('library.undone', { count: 50 }));
    await counted(page, 100 + dropped);
  });
}

async function operate(me: Person, token: string): Promise<void> {
  const { page } = me;
  await me.signIn(token);
  await me.does('set the quota of a user', async () => {
    await me.press('button', msg('users.editQuota', { name: 'Kim' }));
    await me.type(page.getByRole('dialog').getByLabel(msg('users.quota')), '7');
    await me.key('Enter');
    await me.says('of 7 GB');
  });
  await me.does('suspend the user, and read that in the audit', async () => {
    await me.press('link', 'Kim', true);
    await me.press('button', msg('suspension.suspend'), true);
    await me.press('button', msg('suspension.suspend'), true);
    await page.getByText(msg('users.suspended'), { exact: true }).waitFor();
    await me.press('link', msg('audit.of'));
    await atPage(page, msg('audit.title'));
    await page.getByRole('cell', { name: msg('act.user.suspend') }).waitFor();
  });
}
