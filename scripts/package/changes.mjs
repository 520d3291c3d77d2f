import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree.mjs';

/** The section of a version in CHANGELOG.md; undefined if it has no dated section there. */
export function changesOf(version) {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const sections = text.split(/^(?=## )/m);
  const head = `## ${version} - `;
  return sections.find(
    (section) => section.startsWith(head) && /^\d{4}-\d\d-\d\d\n/.test(section.slice(head.length)),
  );
}
