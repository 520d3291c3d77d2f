import { type Call, Client } from '../../testkit/client.js';

/** Time limit for a complete response, in milliseconds. */
const requestTimeoutMs = 30_000;

/** A client whose requests time out. */
export class LimitedClient extends Client {
  override raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return super.raw(method, path, { signal: AbortSignal.timeout(requestTimeoutMs), ...call });
  }
}
