import { Client, type Call } from '../testkit/client.js';
import { operationAt, type OperationName } from '../testkit/operations.js';
import type { User } from '../testkit/records.js';
import type { World } from '../testkit/world.js';

/** The fields of a new platform, or of a new user. */
interface Created {
  readonly id?: string;
  readonly user_id?: string;
  readonly platform_id?: string;
  readonly platform_user_id?: string;
  readonly access_token?: string;
}

/** The platforms and users created through the API, with the ids and tokens needed to delete them. */
class CreatedUsers {
  /** Tokens of platforms, by platform id. */
  readonly #platforms = new Map<string, string>();
  /** Platforms and names of users, by user id. */
  readonly #users = new Map<string, { readonly platform: string; readonly name: string }>();

  /** Remembers the platform or user that an answer to a POST created, if any. */
  async note(response: Response): Promise<void> {
    const path = new URL(response.url).pathname;
    if (!/^\/api\/v1\/platforms\/([^/]+\/users\/?)?$/.test(path)) return;
    const { result } = (await response.clone().json()) as { result: Created };
    this.add(result);
  }

  /** Remembers a new platform or user. */
  add({ id, user_id, platform_id, platform_user_id, access_token }: Created): void {
    if (user_id && platform_id && platform_user_id) {
      this.#users.set(user_id, { platform: platform_id, name: platform_user_id });
    } else if (id && access_token) this.#platforms.set(id, access_token);
  }

  /** Deletes all remaining users. @returns the number of users that could not be deleted. */
  async remove(client: Client): Promise<number> {
    let left = 0;
    for (const { platform, name } of this.#users.values()) {
      const as = ['Platform', this.#platforms.get(platform) ?? ''] as const;
      const query = { platform_user_id: name };
      const path = `/api/v1/platforms/${platform}/users/`;
      const { status, result } = await client.request<User[]>('GET', path, { as, query });
      if (status !== 200) left += 1;
      for (const { id, access_token } of status === 200 ? result : []) {
        const own = ['User', access_token ?? ''] as const;
        const gone = await client.request('DELETE', `/api/v1/users/${id}`, { as: own });
        if (gone.status !== 200) left += 1;
      }
    }
    return left;
  }
}

/** Records the statuses of each operation, and fails on undocumented ones. */
export class WatchedClient extends Client {
  readonly seen = new Map<OperationName, Set<number>>();
  readonly created = new CreatedUsers();

  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    const response = await super.raw(method, path, call);
    const operation = operationAt(method, new URL(path, this.base).pathname);
    if (operation) {
      const statuses = this.seen.get(operation) ?? new Set();
      this.seen.set(operation, statuses.add(response.status));
    }
    if (method === 'POST' && response.ok) await this.created.note(response);
    return response;
  }
}

/** The environment of the checks. */
export type WatchedWorld = World<WatchedClient>;
