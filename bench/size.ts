// npm run bench -- --size: how much there is to read. Prints the lines of each room, and what the database has
// of functions, triggers, and indexes.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { schema } from '../migrations/schema.js';
import { packageFile } from '../src/base/installed-files.js';
import { readOptions } from '../testkit/script.js';
import { markdownTable } from './harness/report.js';

readOptions('Usage: npm run bench -- --size', {});

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

async function sizeOf(folder: string): Promise<string[]> {
  const names = await readdir(packageFile(folder), { recursive: true });
  const paths = names.filter((name) => /\.(ts|tsx|sql)$/.test(name) && !/node_modules/.test(name));
  const counts = paths.map(async (path) => {
    const text = await readFile(packageFile(join(folder, path)), 'utf8');
    return { test: isTest(path), lines: text.split('\n').length - 1 };
  });
  const files = await Promise.all(counts);
  const lines = (test: boolean): string =>
    String(files.reduce((sum, file) => sum + (file.test === test ? file.lines : 0), 0));
  return [folder, String(files.filter(({ test }) => !test).length), lines(false), lines(true)];
}

async function roomsTable(): Promise<string> {
  const rooms = (await readdir(packageFile('src'))).map((name) => `src/${name}`);
  const others = [
    'workers',
    'migrations',
    'console',
    'test',
    'contract',
    'testkit',
    'bench',
    'scripts',
  ];
  const sizes = await Promise.all([...rooms, ...others].map(sizeOf));
  return markdownTable(['Room', 'Files', 'Lines', 'Lines of tests'], sizes);
}

function databaseTable(): string {
  const count = (kind: string, table?: string): string =>
    String(schema.filter((part) => part.kind === kind && (!table || part.table === table)).length);
  return markdownTable(
    ['Database', 'Number'],
    [
      ['functions', count('function')],
      ['triggers', count('trigger')],
      ['indexes on images', count('index', 'images')],
    ],
  );
}

process.stdout.write(`${await roomsTable()}\n\n${databaseTable()}\n`);
