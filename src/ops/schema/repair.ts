import type { DataSource } from 'typeorm';
import { forSqlAlone } from '../../database/data-source.js';
import { rows } from '../../database/sql.js';
import { failure } from '../../base/errors/operator.js';
import { findSchemaDefects, partName } from './defects.js';
import type { SchemaDefect } from './defects.js';

/**
 * Recreates missing parts of the schema and revalidates invalid ones, without blocking a running
 * service. A part with the right name but another definition is left alone.
 * @returns the names of what was repaired.
 * @throws OperatorError 1 with the statement that failed.
 */
export async function repairSchema(
  db: DataSource,
  report: (message: string) => void,
): Promise<string[]> {
  const repaired: string[] = [];
  const own = await forSqlAlone(db).initialize();
  try {
    for (const defect of await findSchemaDefects(own)) {
      const statement = repairStatement(defect);
      if (!statement) continue;
      report(statement);
      await rows(own, statement).catch((cause: unknown) => {
        const { message, detail = '' } = cause as Error & { detail?: string };
        throw failure(`${partName(defect.part)} cannot be repaired: ${message}. ${detail}`.trim(), {
          setting: 'database.url',
          remedy: `fix what prevents it, then run: ${statement};`,
          cause,
        });
      });
      repaired.push(partName(defect.part));
    }
  } finally {
    await own.destroy();
  }
  return repaired;
}

/** The statement that repairs a defect. */
function repairStatement({ part, what }: SchemaDefect): string | undefined {
  const { kind, table, name, definition } = part;
  if (what === 'different') return undefined;
  const missing = what === 'missing';
  switch (kind) {
    case 'function':
      return definition;
    case 'index':
      return missing
        ? definition.replace(/^CREATE (UNIQUE )?INDEX /, '$&CONCURRENTLY ')
        : `REINDEX INDEX CONCURRENTLY ${name}`;
    case 'constraint':
      if (missing) return `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`;
      return /^(CHECK|FOREIGN KEY)/.test(definition)
        ? `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`
        : `REINDEX INDEX CONCURRENTLY ${name}`;
    case 'trigger':
      return missing ? definition : `ALTER TABLE ${table} ENABLE TRIGGER ${name}`;
  }
}
