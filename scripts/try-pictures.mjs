/**
 * Prints what becomes of every file: `node scripts/try-pictures.mjs FOLDER…`, after a build. Exit
 * code 1 if one of them is answered with 503, which no content may cause.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startImaging } from '../dist/src/imaging/start.js';
import { usualImaging } from '../dist/testkit/imaging-options.js';
import { logger } from '../dist/testkit/silent-logger.js';

const folders = process.argv.slice(2);
const missing = folders.find((folder) => !existsSync(folder));
if (missing !== undefined || folders.length === 0) {
  console.error(
    missing ? `There is no ${missing}.` : 'Usage: node scripts/try-pictures.mjs FOLDER…',
  );
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), 'try-pictures-'));
const queue = await startImaging({ ...usualImaging, folder: dir, threads: 2, logger });

async function verdict(folder, name) {
  copyFileSync(join(folder, name), join(dir, name));
  const hash = createHash('sha256').update(join(folder, name)).digest();
  const image = await queue.process({ path: join(dir, name), hash }, 'somebody');
  const { width, height, incomplete, coordinates, taken } = image;
  return [
    `${width}x${height}`,
    incomplete ? 'incomplete' : 'whole',
    coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : 'no place',
    taken?.wallTime ?? 'no time',
  ].join('\t');
}

try {
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) {
      const text = await verdict(folder, name).catch((error) => {
        if (error.code === 'unavailable') process.exitCode = 1;
        return error.code ?? String(error);
      });
      console.log(`${name}\t${text}`);
    }
  }
} finally {
  await queue.close(0);
  rmSync(dir, { recursive: true });
}
