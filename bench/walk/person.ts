import type { Locator, Page } from 'playwright-core';

/** What a person looks for, and does not find. */
export class NotThere extends Error {}

/** Milliseconds for which a person looks for something. */
const lookedForMs = 8_000;

/** Somebody before a page, whose clicks and keys are counted. */
export class Person {
  /** Clicks and keys so far. */
  acts = 0;

  constructor(readonly page: Page) {}

  /** Whether something appears. */
  sees(what: Locator): Promise<boolean> {
    const looked = what.first().waitFor({ timeout: lookedForMs });
    return looked.then(
      () => true,
      () => false,
    );
  }

  /** @throws NotThere. */
  async click(what: Locator, how: Parameters<Locator['click']>[0] = {}): Promise<void> {
    if (!(await this.sees(what))) throw new NotThere(`there is no ${String(what)}`);
    this.acts += 1 + (how.modifiers?.length ?? 0);
    await what.first().click(how);
  }

  /** Moves the mouse while its button is held, which counts as a click. */
  async drag([x, y]: readonly [number, number], by: readonly [number, number]): Promise<void> {
    this.acts += 1;
    const { mouse } = this.page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + by[0], y + by[1], { steps: 10 });
    await mouse.up();
  }

  async press(key: string): Promise<void> {
    this.acts += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.acts += text.length;
    await this.page.keyboard.type(text);
  }

  /** Pastes with two keys. */
  async paste(text: string): Promise<void> {
    this.acts += 2;
    await this.page.keyboard.insertText(text);
  }

  /** Chooses all files of a folder in the browser's own dialog, which what `open` does has opened. */
  async choose(files: readonly string[], open: () => Promise<void>): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), open()]);
    this.acts += 3; // Ctrl+A, Enter
    await chooser.setFiles([...files]);
  }
}
