import type { DataSource } from 'typeorm';
import { unlimited } from '../../database/data-source.js';
import { rows } from '../../database/sql.js';
import { failure } from '../../errors/operator.js';
import { findFlaws, nameOf } from './flaws.js';
import type { Flaw } from './flaws.js';

/**
 * Makes again what is missing of the schema, and valid what is not, without holding up a service
 * that runs. What has its name and is another thing stays as it is.
 * @returns the names of what was mended.
 * @throws OperatorError 1 with the statement that failed.
 */
export async function mendSchema(
  db: DataSource,
  report: (message: string) => void,
): Promise<string[]> {
  const mended: string[] = [];
  const own = await unlimited(db).initialize();
  try {
    for (const flaw of await findFlaws(own)) {
      const statement = remedyFor(flaw);
      if (!statement) continue;
      report(statement);
      await rows(own, statement).catch((cause: unknown) => {
        const { message, detail = '' } = cause as Error & { detail?: string };
        throw failure(`${nameOf(flaw.part)} cannot be mended: ${message}. ${detail}`.trim(), {
          setting: 'database.url',
          remedy: `mend what is in its way, then: ${statement};`,
          cause,
        });
      });
      mended.push(nameOf(flaw.part));
    }
  } finally {
    await own.destroy();
  }
  return mended;
}

/** The statement that mends a flaw. */
function remedyFor({ part, what }: Flaw): string | undefined {
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
