// npm run changes: prints the changes since the last release, which are in changes/, as a section of
// CHANGELOG.md. With --write, moves them there; see changes/README.md.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/base/installed-files.js';
import { readOptions } from '../testkit/script.js';

const usage = `Usage: npm run changes [-- --write]

Prints the changes since the last release. --write moves them into CHANGELOG.md.`;

/** The kinds of changes, in the order of a section. */
const kinds = ['Added', 'Changed', 'Removed', 'Fixed', 'Security'];

const folder = packageFile('changes');
const file = packageFile('CHANGELOG.md');

const fragments = (from = folder): string[] =>
  readdirSync(from)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => join(from, name));

/**
 * The section of a version. @param from the folder of the fragments. @param head its heading.
 * @throws Error for a line that is no change.
 */
export function gatheredChanges(head: string, from = folder): string {
  const lines = fragments(from).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, kind = '', text = ''] = /^(\w+): (.+)$/.exec(line) ?? [];
        if (kinds.includes(kind)) return { kind, text };
        throw new Error(`${path}: a line begins with ${kinds.join(':, ')}:, not with "${line}".`);
      }),
  );
  const parts = kinds.flatMap((kind) => {
    const its = lines.filter((line) => line.kind === kind).map(({ text }) => `- ${text}\n`);
    return its.length === 0 ? [] : [`### ${kind}\n\n${its.join('')}`];
  });
  return `## ${head}\n\n${parts.join('\n')}\n`;
}

/** The section of a version in CHANGELOG.md; undefined if it has no dated section there. */
export function changesOf(version: string): string | undefined {
  const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const head = `## ${version} - `;
  return sections.find(
    (section) => section.startsWith(head) && /^\d{4}-\d\d-\d\d\n/.test(section.slice(head.length)),
  );
}

function main(): void {
  const { write } = readOptions(usage, { write: { type: 'boolean', default: false } });
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const date = new Date().toISOString().slice(0, 10);
  const section = gatheredChanges(write ? `${version} - ${date}` : 'Unreleased');
  if (!write) return void process.stdout.write(section);
  if (version.includes('-')) {
    process.stderr.write(
      `${version} is no version of a release.\n  Remedy: npm version --no-git-tag-version minor\n`,
    );
    process.exit(1);
  }
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^## /m, () => `${section}## `),
  );
  for (const path of fragments()) rmSync(path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
