import { readFileSync } from 'node:fs';
import { packageFile } from '../installed-files.js';

/** The version of this imgstore, from package.json. */
export function version(): string {
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
