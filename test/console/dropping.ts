import type { Page } from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';
import { readPhoto } from '../../testkit/photos.js';

export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Adds a comment to a JPEG file (ITU T.81, B.2.4.5), right after its start marker. */
const commentOf = (n: number): Buffer => Buffer.from([0xff, 0xfe, 0, 3, n]);

/** Different photographs of 135 KB. */
export async function photographs(count: number): Promise<DroppedFile[]> {
  const bytes = await readPhoto('landscape_6.jpg');
  return Array.from({ length: count }, (_, n) => ({
    name: `${n + 1}.jpg`,
    type: 'image/jpeg',
    bytes: Buffer.concat([bytes.subarray(0, 2), commentOf(n), bytes.subarray(2)]),
  }));
}

/** Runs in the browser, whose globals have no types here. */
const transferOf = (files: readonly object[]): string => `(() => {
  const data = new DataTransfer();
  for (const { name, type, base64 } of ${JSON.stringify(files)}) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
  }
  return data;
})()`;

/** Pastes a file as after copying it elsewhere. @param text that was copied with it. */
export async function pasteFile(
  page: Page,
  { name, type, bytes }: DroppedFile,
  text?: string,
): Promise<void> {
  const transfer = transferOf([{ name, type, base64: bytes.toString('base64') }]);
  await page.evaluate(`(() => {
    const data = ${transfer};
    const text = ${JSON.stringify(text ?? null)};
    if (text !== null) data.setData('text/plain', text);
    dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  })()`);
}

/** Drops files anywhere into the window like a file manager, once the page shows that it takes them. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({
    name,
    type,
    base64: bytes.toString('base64'),
  }));
  const transfer = await page.evaluateHandle(transferOf(given));
  await eventually('the page takes files', async () => {
    await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
    return page.locator('.drop-note').isVisible();
  });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
