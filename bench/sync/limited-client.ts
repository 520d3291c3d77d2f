import type { Call } from '../../testkit/client.js';
import { Client } from '../../testkit/client.js';

/** How long one answer may take with all of its body, in milliseconds. */
const patience = 30_000;

/** A client that does not wait for ever. */
export class LimitedClient extends Client {
  override raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return super.raw(method, path, { signal: AbortSignal.timeout(patience), ...call });
  }
}
