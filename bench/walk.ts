// npm run bench -- --walk: what a person does with thirty pictures, in Chromium, on a new service: each step
// with its clicks and keys, and the seconds until its result is seen; beside another build with --program.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { openChromium } from '../testkit/chromium.js';
import { Started, type Scope } from '../testkit/scope.js';
import { readOptions } from '../testkit/script.js';
import { Target } from '../testkit/target.js';
import { picture } from './harness/pictures.js';
import { openDirectory, report } from './private-service.js';
import { NotThere } from './walk/person.js';
import { steps, Walk } from './walk/steps.js';

const usage = `Usage: npm run bench -- --walk [--program PATH/bin/imgstore]

  --program PATH  another build, whose console is walked through as well

Exits with 1 if a step of this build's console fails.`;

const { program } = readOptions(usage, { program: { type: 'string' } });

const count = 30;

/** Pictures of 12 MP that differ, a third of them from each of three days. */
async function makePictures(dir: string): Promise<string[]> {
  const source = await picture(dir);
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [day, minute] = [1 + Math.floor((n * 3) / count), String(n).padStart(2, '0')];
    const path = join(dir, `IMG_${2001 + n}.jpg`);
    await sharp(source)
      .modulate({ hue: n * 12 })
      .withExif({ IFD2: { DateTimeOriginal: `2026:03:0${day} 10:${minute}:00` } })
      .jpeg({ quality: 80 })
      .toFile(path);
    paths.push(path);
  }
  return paths;
}

interface Took {
  readonly acts: number;
  readonly seconds: number;
}

/** When the open page drew its first text, in milliseconds since it was asked for. */
const firstPaint = ({ person: { page } }: Walk): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);

/** Walks through a console. @returns what each step took; undefined where there is no such step. */
async function walk(scope: Scope, files: readonly string[], other?: string) {
  const target = await Target.start(scope, { program: other });
  const { access_token: token } = await target.user(await target.platform());
  const browser = await openChromium(scope);
  const origin = `http://127.0.0.1:${target.port}`;
  const walker = await Walk.begin(browser, { origin, token, files });
  const took: (Took | undefined)[] = [];
  for (const { name, act } of steps) {
    report(name);
    const before = walker.acts;
    const began = performance.now();
    try {
      await act(walker);
      const seconds = (performance.now() - began) / 1000;
      took.push({ acts: walker.acts - before, seconds });
    } catch (error) {
      if (!(error instanceof NotThere)) throw error;
      report(`${name}: ${error.message}`);
      took.push(undefined);
    }
  }
  report(`The console was first painted after ${Math.round(await firstPaint(walker))} ms.`);
  return took;
}

const cellsOf = (took: Took | undefined): string[] =>
  took ? [String(took.acts), `${took.seconds.toFixed(1)} s`] : ['not there', ''];

const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

const dir = await openDirectory('imgstore-walk-');
const started = new Started();
try {
  report('Drawing the pictures');
  const files = await makePictures(dir);
  const now = await walk(started, files);
  const before = program === undefined ? undefined : await walk(started, files, program);
  line(['Step', 'Clicks and keys', 'Time', ...(before ? ['before', 'before'] : [])]);
  line(['---', '--:', '--:', ...(before ? ['--:', '--:'] : [])]);
  for (const [index, { name }] of steps.entries()) {
    line([name, ...cellsOf(now[index]), ...(before ? cellsOf(before[index]) : [])]);
  }
} finally {
  await started.end();
  await rm(dir, { recursive: true, force: true });
}
