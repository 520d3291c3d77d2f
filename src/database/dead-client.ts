import { rows } from './sql.js';
import type { Queryable } from './sql.js';

/**
 * Makes the server end a session soon after its client died, even in the middle of a statement or
 * when the client's machine lost power; by default it notices only when it has data to send. For
 * sessions that hold locks others wait for.
 */
export async function detectDeadClient(session: Queryable): Promise<void> {
  await rows(
    session,
    `SELECT set_config(name, value, false)
     FROM (VALUES ('client_connection_check_interval', '2s'), ('tcp_keepalives_idle', '10'),
                  ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')) AS s (name, value)
     WHERE version() LIKE '%linux%'`, // servers on other systems reject the first setting
  );
}
