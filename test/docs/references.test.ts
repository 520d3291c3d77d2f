import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const unread = new Set(['node_modules', 'dist', 'release', 'photos']);
const kinds = /\.(md|[cm]?[jt]sx?|sh|conf|ya?ml|service|css|html)$/;

/** The text of each source file and page below a folder, by its path in the repository. */
async function textsOf(folder: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const seen = entries.filter(({ name }) => !name.startsWith('.') && !unread.has(name));
  const parts = seen.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return textsOf(path);
    if (!entry.isFile() || !kinds.test(entry.name)) return [];
    return [[path, await readFile(join(root, path), 'utf8')]] as [string, string][];
  });
  return (await Promise.all(parts)).flat();
}

const texts = await textsOf('.');
const manifest = await readFile(join(root, 'package.json'), 'utf8');
const pages = new Map(texts.filter(([path]) => path.endsWith('.md')));

/** A page without what is shown as code. */
const prose = (page: string): string =>
  page.replaceAll(/^ *(```+)[^]*?^ *\1$/gm, '').replaceAll(/`[^`\n]*`/g, '``');

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  const headings = page.replaceAll(/^ *(```+)[^]*?^ *\1$/gm, '').matchAll(/^#+ +(.*)$/gm);
  for (const [, heading = ''] of headings) {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let again = 0;
    while (anchors.has(again > 0 ? `${anchor}-${again}` : anchor)) again++;
    anchors.add(again > 0 ? `${anchor}-${again}` : anchor);
  }
  return anchors;
}

test('each relative link of a page leads to a file, and to a heading of it', () => {
  let links = 0;
  const broken: string[] = [];
  for (const [path, page] of pages) {
    for (const [, link = ''] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      links++;
      const [file = '', anchor] = link.split('#');
      const target = file ? join(dirname(path), file) : path;
      const found =
        existsSync(join(root, target)) &&
        (anchor === undefined || anchorsOf(pages.get(target) ?? '').has(anchor));
      if (!found) broken.push(`${path}: ${link}`);
    }
  }
  assert.ok(links > 150, `${links} links`);
  assert.deepEqual(broken, []);
});

test('each file that a page names exists', () => {
  const folders = 'src|workers|migrations|console|contract|testkit|test|scripts|bench|docs|docker';
  const name = new RegExp(`\`((?:${folders})/[\\w./-]+\\.\\w+)\``, 'g');
  const named = [...pages]
    .filter(([path]) => path !== 'CHANGELOG.md') // names what there was
    .flatMap(([path, page]) => [...page.matchAll(name)].map(([, file = '']) => [path, file]));
  assert.ok(named.length > 30, `${named.length} files`);
  assert.deepEqual(
    named.filter(([path = '', file = '']) =>
      [root, join(root, dirname(path))].every((folder) => !existsSync(join(folder, file))),
    ),
    [],
  );
});

test('each page that a source file names exists', () => {
  const pattern = /\bdocs\/[\w/-]+\.md\b/g;
  const named = texts
    .filter(([path]) => !path.endsWith('.md'))
    .flatMap(([path, text]) => [...text.matchAll(pattern)].map(([file]) => [path, file]));
  assert.ok(named.length > 20, `${named.length} pages`);
  assert.deepEqual(
    named.filter(([, page = '']) => !pages.has(page)),
    [],
  );
});

test('each script of npm that a page names exists, and each word that selects tests', () => {
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Record<string, string> };
  const tests = texts.map(([path]) => path).filter((path) => path.endsWith('.test.ts'));
  const wrong: string[] = [];
  for (const [path, page] of pages) {
    for (const [, name = ''] of page.matchAll(/\bnpm run ([\w:-]+)/g)) {
      if (!Object.hasOwn(scripts, name)) wrong.push(`${path}: npm run ${name}`);
    }
    const selections = page.matchAll(
      /\bnpm (?:test|run test:(?:all|long)) -- ((?:[a-z/][\w/.-]* ?)+)/g,
    );
    for (const word of [...selections].flatMap(([, words = '']) => words.trim().split(' '))) {
      if (!tests.some((test) => test.includes(word))) wrong.push(`${path}: ${word}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('decisions are numbered without holes, and each that is cited exists', () => {
  const decisions = [...pages].filter(([path]) => /^docs\/adr\/\d/.test(path)).sort();
  const known = new Map(decisions.map(([path], n) => [n + 1, basename(path)]));
  for (const [at, [path, page]] of decisions.entries()) {
    assert.equal(Number(basename(path).slice(0, 4)), at + 1, path);
    assert.ok(page.startsWith(`# ${at + 1}. `), path);
  }
  const listed = [...(pages.get('docs/adr/README.md') ?? '').matchAll(/\[(\d+)\]\(([^)]+)\)/g)];
  const order = ([, a]: string[], [, b]: string[]) => Number(a) - Number(b);
  assert.deepEqual(
    listed.sort(order).map(([, number, file]) => [Number(number), file]),
    [...known],
  );

  let cited = 0;
  const wrong: string[] = [];
  for (const [path, text] of texts) {
    if (path === relative(root, fileURLToPath(import.meta.url))) continue;
    for (const [citation, number, file] of text.matchAll(
      /\bADRs? (\d+)(?:\]\((?:[\w./]*\/)?(\d{4}[\w-]*\.md))?/g,
    )) {
      cited++;
      const decision = known.get(Number(number));
      if (!decision || (file && file !== decision)) wrong.push(`${path}: ${citation}`);
    }
    for (const [citation, number] of text.matchAll(/\badr\/(\d+)/g)) {
      cited++;
      if (!known.has(Number(number)) || number?.length !== 4) wrong.push(`${path}: ${citation}`);
    }
  }
  assert.ok(cited > 100, `${cited} citations`);
  assert.deepEqual(wrong, []);
});
