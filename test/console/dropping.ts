import type { Page } from 'playwright-core';

export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Runs in the browser, whose names this program's types do not know. */
const transferOf = (files: readonly object[]): string => `(() => {
  const data = new DataTransfer();
  for (const { name, type, base64 } of ${JSON.stringify(files)}) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
  }
  return data;
})()`;

/** Drops files onto the library, as from a file manager. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({
    name,
    type,
    base64: bytes.toString('base64'),
  }));
  const transfer = await page.evaluateHandle(transferOf(given));
  await page.dispatchEvent('.drop', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
}
