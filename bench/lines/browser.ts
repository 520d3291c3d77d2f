import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../testkit/chromium.js';
import type { Scope } from '../../testkit/scope.js';
import { addressOf, type Phone } from './phone.js';
import type { SeenAnswer, Watch } from './watch.js';

const client = fileURLToPath(
  new URL('../../../node_modules/tus-js-client/dist/tus.min.js', import.meta.url),
);

const html = `<!doctype html><meta charset="utf-8"><script src="/tus.js"></script>`;

/** What runs in the page: the file is read from the page's own server, and uploaded to another origin. */
const script = `async ({ retryDelays, ...options }) => {
  const file = await (await fetch('/file')).blob();
  return new Promise((resolve, reject) => {
    let imageId;
    new tus.Upload(file, {
      ...options,
      retryDelays,
      metadata: { filename: 'photo.jpg' },
      onAfterResponse: (request, response) => {
        noteAnswer({
          method: request.getMethod(),
          url: new URL(request.getURL()).pathname,
          status: response.getStatus(),
          offset: response.getHeader('Upload-Offset'),
        });
        imageId = response.getHeader('Upload-Image-Id') ?? imageId;
      },
      onError: (error) => reject(new Error(error.message)),
      onSuccess: () => resolve(imageId),
    }).start();
  });
}`;

/** Web pages that upload, each from a server of its own: field apps in a real browser. */
export class Browsers {
  private constructor(
    private readonly scope: Scope,
    private readonly browser: Browser,
  ) {}

  static async open(scope: Scope): Promise<Browsers> {
    return new Browsers(scope, await openChromium(scope));
  }

  /** Sends the file of a phone. @returns the id of the image. @throws as `uploadFrom` does. */
  async upload(
    phone: Phone,
    watch: Watch,
    retryDelays: readonly number[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const context = await this.browser.newContext();
    const page = await context.newPage();
    const close = (): void => void context.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await page.exposeFunction('noteAnswer', (seen: SeenAnswer) =>
        watch.note({ ...seen, offset: seen.offset ?? undefined }),
      );
      await page.goto(await this.#serve(phone));
      const argument = JSON.stringify({ ...addressOf(phone), retryDelays });
      return await page.evaluate<string | undefined>(`(${script})(${argument})`);
    } finally {
      signal.removeEventListener('abort', close);
      await context.close();
    }
  }

  /** Serves the page, the client, and the file. @returns the URL of the page. */
  async #serve({ file }: Phone): Promise<string> {
    const server = createServer((request, response) => {
      if (request.url === '/tus.js') {
        response.setHeader('Content-Type', 'text/javascript');
        createReadStream(client).pipe(response);
      } else if (request.url === '/file') createReadStream(file.path).pipe(response);
      else response.setHeader('Content-Type', 'text/html').end(html);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.scope.after(async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
}
