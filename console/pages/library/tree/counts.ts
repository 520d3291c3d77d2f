import { signal } from '@preact/signals';
import type { Access } from '../access';

/** Folders that are counted at once. */
const lanes = 2;

/** How many items are in each visible folder. Earlier numbers stay until the new ones have arrived. */
export class FolderCounts {
  /** Changes with any count. */
  readonly version = signal(0);
  readonly #counts = new Map<string, number>();
  readonly #fresh = new Set<string>();
  #waiting: string[] = [];
  #counting = 0;

  constructor(private readonly access: Access) {}

  of(id: string): number | undefined {
    return this.#counts.get(id);
  }

  /** Counts the visible folders that have not been counted since `renew`. */
  want(ids: readonly string[]): void {
    this.#waiting = ids.filter((id) => !this.#fresh.has(id));
    while (this.#counting < lanes && this.#waiting.length > 0) void this.#count();
  }

  renew(): void {
    this.#fresh.clear();
  }

  async #count(): Promise<void> {
    this.#counting += 1;
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift()) {
      this.#fresh.add(id);
      try {
        this.#counts.set(id, await this.#read(id));
        this.version.value += 1;
      } catch {
        // It accompanies the title, which says what is wrong; the next change counts again.
        this.#counts.delete(id);
      }
    }
    this.#counting -= 1;
  }

  async #read(id: string): Promise<number> {
    const { total_count: count } = await this.access.call((client) =>
      client.GET('/api/v1/users/{user_id}/folders/{folder_id}', {
        params: {
          path: { user_id: this.access.userId, folder_id: id },
          query: { has_delete_at: 'False', page_size: 1 },
        },
      }),
    );
    return count;
  }
}
