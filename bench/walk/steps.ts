import type { Browser, BrowserContextOptions } from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';
import { NotThere, Person } from './person.js';

interface Given {
  /** The service, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Token of a user without images. */
  readonly token: string;
  /** Pictures of three days, the same number of each. */
  readonly files: readonly string[];
}

/** Milliseconds for a result, such as thirty uploads. */
const patienceMs = 90_000;

const desk: BrowserContextOptions = {
  locale: 'en-US',
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
};

const phone: BrowserContextOptions = {
  locale: 'en-US',
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
};

/** Somebody at a desk, and then a visitor with a phone. */
export class Walk {
  /** The link that was copied. */
  link: string | undefined;
  visitor: Person | undefined;

  private constructor(
    private readonly browser: Browser,
    readonly person: Person,
    readonly given: Given,
  ) {}

  static async begin(browser: Browser, given: Given): Promise<Walk> {
    return new Walk(browser, await newPerson(browser, desk), given);
  }

  /** Clicks and keys of both. */
  get acts(): number {
    return this.person.acts + (this.visitor?.acts ?? 0);
  }

  /** How many pictures are of one day. */
  get ofDay(): number {
    return this.given.files.length / 3;
  }

  async openPhone(): Promise<Person> {
    this.visitor = await newPerson(this.browser, phone);
    return this.visitor;
  }
}

async function newPerson(browser: Browser, options: BrowserContextOptions): Promise<Person> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(patienceMs);
  return new Person(page);
}

interface Step {
  readonly name: string;
  /** @throws NotThere where the console has no such step. */
  readonly act: (walk: Walk) => Promise<void>;
}

export const steps: readonly Step[] = [
  { name: 'Open the console and sign in', act: signIn },
  { name: 'Upload 30 pictures of 12 MP', act: upload },
  { name: 'Find those taken on one day', act: find },
  { name: 'Select them', act: select },
  { name: 'Place all of them on the map', act: place },
  { name: 'Mark one up, as a new version', act: markUp },
  { name: 'Make a link to them, and copy it', act: link },
  { name: 'Open the link on a phone', act: visit },
  { name: 'Look at one there, and save it', act: save },
];

async function signIn({ person, given }: Walk): Promise<void> {
  const { page } = person;
  await page.goto(`${given.origin}/console/`);
  await page.getByLabel('Access token').waitFor();
  await person.paste(given.token);
  await person.press('Enter');
  await page.getByText('There are no images here yet.').waitFor();
}

async function upload({ person, given: { files } }: Walk): Promise<void> {
  const { page } = person;
  const button = page.getByRole('button', { name: 'Upload', exact: true });
  const isMenu = (await button.count()) > 0;
  await person.choose(files, async () => {
    if (isMenu) await person.click(button);
    const kind = isMenu ? 'menuitem' : 'button';
    await person.click(page.getByRole(kind, { name: 'Upload files' }));
  });
  await page.getByText(`${files.length} files uploaded`, { exact: true }).waitFor();
  await page.getByText(`${files.length} items`).waitFor();
}

async function find({ person, ofDay, given }: Walk): Promise<void> {
  const { page } = person;
  const chip = page.getByRole('button', { name: 'Dates' });
  const isChip = (await chip.count()) > 0;
  await person.click(isChip ? chip : page.getByRole('button', { name: 'Filters' }));
  for (const label of ['From', 'To']) {
    // A date is typed from its month on, which is at the left.
    await person.click(page.getByLabel(label, { exact: true }), { position: { x: 16, y: 16 } });
    await person.type('03022026');
  }
  if (await person.sees(page.getByText(`${ofDay} items`))) return;
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(`${given.files.length} items`).waitFor();
  throw new NotThere('images are found by when they were uploaded');
}

async function select({ person, ofDay }: Walk): Promise<void> {
  const { page } = person;
  const day = page.getByRole('checkbox', { name: /^Select .*Mar 2, 2026$/ });
  await person.click(day);
  await page.getByText(`${ofDay} selected`).first().waitFor();
}

async function place({ person, ofDay }: Walk): Promise<void> {
  const { page } = person;
  await person.click(page.getByRole('button', { name: 'Describe' }));
  await person.click(page.getByRole('menuitem', { name: 'Place' }));
  await person.click(page.getByRole('dialog').locator('.map-view[aria-busy=false]'));
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.getByText(`${ofDay} items changed.`).waitFor();
}

/** Draws an arrow on the first picture in view, and goes back. */
async function markUp({ person }: Walk): Promise<void> {
  const { page } = person;
  await person.click(page.getByRole('grid').locator('.tile'));
  try {
    await person.click(page.getByRole('button', { name: 'Mark up' }));
    await page.locator('.marking .frame.drawing').waitFor();
    await person.press('a');
    const box = await page.locator('.marking .shot').boundingBox();
    if (!box) throw new NotThere('nothing can be drawn on');
    await person.drag(
      [box.x + box.width / 4, box.y + box.height / 4],
      [box.width / 4, box.height / 4],
    );
    await person.click(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Edit 1 · current').waitFor();
  } finally {
    await person.press('Escape');
    await page.getByRole('grid').waitFor();
  }
}

async function link(walk: Walk): Promise<void> {
  const { person } = walk;
  const { page } = person;
  if ((await page.getByRole('toolbar', { name: 'Selection' }).count()) === 0) await select(walk);
  await person.click(page.getByRole('button', { name: 'Link', exact: true }));
  await person.click(page.getByLabel('Visitors may download pictures'));
  await person.click(page.getByRole('button', { name: 'Create' }));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Copy' }));
  await page.getByText('Copied').waitFor();
  walk.link = await page.evaluate<string>('navigator.clipboard.readText()');
  await person.click(page.getByRole('button', { name: 'Done' }));
}

async function visit(walk: Walk): Promise<void> {
  if (walk.link === undefined) throw new NotThere('there is no link');
  const { page } = await walk.openPhone();
  await page.goto(`${walk.given.origin}${new URL(walk.link).pathname}`);
  const drawn = `document.querySelectorAll('.grid img').length === ${walk.ofDay}
    && [...document.querySelectorAll('.grid img')].slice(0, 4).every((one) => one.naturalWidth > 0)`;
  await eventually('the pictures are drawn', () => page.evaluate<boolean>(drawn));
}

async function save({ visitor }: Walk): Promise<void> {
  if (!visitor) throw new NotThere('there is no link');
  const { page } = visitor;
  await visitor.click(page.locator('.grid button').first());
  const shown = `document.querySelector('.viewer img')?.naturalWidth > 0`;
  await eventually('the picture is drawn', () => page.evaluate<boolean>(shown));
  const download = page.waitForEvent('download');
  await visitor.click(page.getByRole('link', { name: 'Download' }));
  await (await download).path();
}
