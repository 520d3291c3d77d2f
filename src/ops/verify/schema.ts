import type { DataSource } from 'typeorm';
import { findSchemaDefects, extensionsMissingFromDumps, partName } from '../schema/defects.js';
import type { Differences } from './differences.js';

/** Checks the schema that everything else relies on, and whether a backup would include it. */
export async function verifySchema(db: DataSource, differences: Differences): Promise<void> {
  const unsized = { platform_id: null, expected: null, found: null };
  for (const { part, what } of await findSchemaDefects(db)) {
    differences.add({ kind: 'schema', subject: `${partName(part)}: ${what}`, ...unsized });
  }
  for (const subject of await extensionsMissingFromDumps(db)) {
    differences.add({ kind: 'extension', subject, ...unsized });
  }
}
