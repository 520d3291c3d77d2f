// npm run bench -- --whole: whole pictures of 12 MP: bytes and time of the first and the second request
// for one, what Chromium shows of it, and how much another user's uploads slow down while many are made.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImageRecord } from '../src/library/images/schemas.js';
import { openChromium } from '../testkit/chromium.js';
import { Started } from '../testkit/scope.js';
import { readOptions } from '../testkit/script.js';
import { BenchService, type BenchUser } from './harness/bench-service.js';
import { heicPicture, picture } from './harness/pictures.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --whole [--pictures 40] [--uploads 20]

  --pictures N  whole pictures of one user that are asked for at once (default: 40)
  --uploads N   uploads of another user, alone and meanwhile, at least (default: 20)

Exits with 1 if a picture is not shown whole, or if uploads take more than twice as long and one picture
of the other user besides.`;

const values = readOptions(usage, {
  pictures: { type: 'string', default: '40' },
  uploads: { type: 'string', default: '20' },
});
const [count, uploads] = [Number(values.pictures), Number(values.uploads)];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const quantile = (ms: readonly number[], share: number): number =>
  ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? NaN;

async function send(url: string, { headers }: BenchUser, path: string): Promise<ImageRecord> {
  const body = new FormData();
  body.set('image_data', new Blob([await readFile(path)]), path);
  const answer = await fetch(url, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result: ImageRecord };
  if (answer.status !== 200) throw new Error(`${answer.status} for an upload`);
  return result;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

/** Fetches a whole picture, again as long as the service is busy. */
async function whole(url: string): Promise<{ bytes: number; refused: number }> {
  for (let refused = 0; ; refused += 1) {
    const answer = await fetch(url);
    const { byteLength: bytes } = await answer.arrayBuffer();
    if (answer.status === 200) return { bytes, refused };
    const after = Number(answer.headers.get('retry-after'));
    if (answer.status !== 503 || !(after > 0)) throw new Error(`${answer.status} for a picture`);
    await delay(after * 1000);
  }
}

/** What Chromium shows of a picture, on a page of its own. */
async function shown(urls: readonly string[]): Promise<string[]> {
  const scope = new Started();
  try {
    const page = await (await openChromium(scope)).newPage();
    const sizes: string[] = [];
    for (const url of urls) {
      await page.setContent(`<img src="${url}">`);
      const decoded = `(async () => {
        const image = document.querySelector('img');
        await image.decode();
        return image.naturalWidth + 'x' + image.naturalHeight;
      })()`;
      sizes.push(await page.evaluate<string>(decoded));
    }
    return sizes;
  } finally {
    await scope.end();
  }
}

/** One picture after another. @returns whether all are shown whole. */
async function one(named: ReadonlyMap<string, ImageRecord>): Promise<boolean> {
  const urls: string[] = [];
  for (const [name, { full_url: url = '', filesize_mb: stored }] of named) {
    const first = await timed(() => whole(url));
    const second = await timed(() => whole(url));
    console.log(
      `${name}: stored ${stored} MB, whole ${first.result.bytes} bytes; ` +
        `first request ${seconds(first.ms)}, second ${seconds(second.ms)}`,
    );
    urls.push(url);
  }
  const sizes = await shown(urls);
  const records = [...named.values()].map(({ resolution }) => resolution);
  console.log(`Chromium shows ${sizes.join(', ')}; the records say ${records.join(', ')}`);
  return sizes.join() === records.join();
}

/** @returns whether uploads are slowed down by no more than the fair share. */
async function many(owner: BenchUser, other: BenchUser, files: Files): Promise<boolean> {
  const urls: string[] = [];
  for (let n = 0; n < count; n += 1) {
    urls.push((await send(owner.url, owner, files.heic)).full_url ?? '');
  }
  const upload = async () => (await timed(() => send(other.url, other, files.jpeg))).ms;
  const alone: number[] = [];
  for (let n = 0; n < uploads; n += 1) alone.push(await upload());
  let making = true;
  const made = timed(() => Promise.all(urls.map(whole))).finally(() => (making = false));
  const during: number[] = [];
  while (making) during.push(await upload());
  const { ms, result } = await made;
  const refused = result.reduce((sum, { refused: times }) => sum + times, 0);
  const [usual, meanwhile] = [quantile(alone, 0.5), quantile(during, 0.5)];
  const bound = 2 * usual + ms / count;
  console.log(
    `${count} whole pictures at once: ${seconds(ms)}, ${refused} answers were 503; uploads of another user: ` +
      `alone ${seconds(usual)} (at most ${seconds(Math.max(...alone))}), meanwhile ${during.length} of ` +
      `${seconds(meanwhile)} (p90 ${seconds(quantile(during, 0.9))}, at most ` +
      `${seconds(Math.max(...during))}); ${(meanwhile / usual).toFixed(2)} times, fair are at most ${seconds(bound)}`,
  );
  return during.length >= Math.min(uploads, 5) && meanwhile <= bound;
}

interface Files {
  readonly heic: string;
  readonly jpeg: string;
}

const dir = await openDirectory('imgstore-whole-');
try {
  report('Drawing the pictures');
  const { heic } = await heicPicture(dir);
  const files = { heic, jpeg: await picture(dir) };
  const service = await BenchService.open(join(dir, 'home'));
  try {
    const [owner, other] = [await service.user(0), await service.user(1)];
    const phone = await send(owner.url, owner, heic);
    const { id } = await send(owner.url, owner, heic);
    const edited = await send(`${owner.url}/${id}/filedata`, owner, files.jpeg);
    const marked = await send(`${owner.url}/${id}/filedata`, owner, heic);
    const named = new Map([
      ['HEIC', phone],
      ['HEIC edited as JPEG', edited],
      ['edited as HEIC', marked],
    ]);
    const isWhole = await one(named);
    const isFair = await many(owner, other, files);
    process.exitCode = isWhole && isFair ? 0 : 1;
  } finally {
    await service.stop();
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
