import { rows } from './sql.js';
import type { Queryable } from './sql.js';

/**
 * Lets the server end a session soon after its client died, also in the middle of a statement, and
 * when the client's machine lost power: by itself it would look only when it has an answer to send.
 * For sessions whose locks others wait for.
 */
export async function noticeLostClient(session: Queryable): Promise<void> {
  await rows(
    session,
    `SELECT set_config(name, value, false)
     FROM (VALUES ('client_connection_check_interval', '2s'), ('tcp_keepalives_idle', '10'),
                  ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')) AS s (name, value)
     WHERE version() LIKE '%linux%'`, // elsewhere servers refuse the first one
  );
}
