import pg from 'pg';
import { withLibpqModes } from '../tls.js';
import { requiredExtensions } from './engine.js';

/** Creates missing extensions, which a dump of the schema does not include. */
export async function ensureExtensions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: withLibpqModes(url) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const name of requiredExtensions) {
      await client.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
    }
  } finally {
    await client.end();
  }
}
