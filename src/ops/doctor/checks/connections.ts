import { ok, problem, warning, type Check } from '../check.js';
import { selectConnections } from '../server.sql.js';

/** Shares of the connections that may be in use. */
const busy = 0.8;
const full = 0.95;

export const connections: Check = {
  name: 'connections',
  title: 'The database has connections left',
  category: 'database',
  run: async (context) => {
    const { 'database.pool_size': pool } = await context.config();
    const { usable, used } = await selectConnections(await context.db());
    const less = Math.max(2, Math.floor(usable / 2));
    const fewer = context.command('config', 'set', 'database.pool_size', String(less));
    if (pool > usable) {
      return warning(
        `database.pool_size is ${pool}, but the server allows ${usable} connections in all.`,
        `${fewer}, or raise max_connections in its postgresql.conf and restart it`,
      );
    }
    const taken = `${used} of ${usable} connections are in use`;
    if (used < usable * busy) return ok(`${taken}.`);
    return (used < usable * full ? warning : problem)(
      `${taken}; further nodes, jobs and commands will be refused.`,
      `Raise max_connections in its postgresql.conf and restart it, or give each node fewer: ${fewer}`,
    );
  },
};
