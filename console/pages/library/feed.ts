import type { components } from '../../core/api';
import { Backoff } from '../../core/backoff';
import { Problem } from '../../core/problem';
import { onReturn } from '../../core/reach';
import type { Access } from './access';

export type Change = components['schemas']['Change'];

/** What a reader of the feed is told; undefined: something may have changed that the feed does not say. */
type Told = (changes: readonly Change[] | undefined) => void;

/** The server sends something at least every 15 seconds. */
const silentMs = 40_000;

/** Beyond every number of the feed: the answer says the newest. */
const beyond = 999_999_999_999_999;

const path = '/api/v1/users/{user_id}/changes';

/** The changes of a user's records, as they happen: one connection, while the page is visible. */
export class Feed {
  /** Whether whatever changes is told at once. */
  isOpen = false;
  #last: number | undefined;

  constructor(
    private readonly access: Access,
    private readonly told: Told,
  ) {}

  /** @returns a function that ends it. */
  follow(): () => void {
    const stop = new AbortController();
    void this.#follow(stop.signal);
    return () => stop.abort();
  }

  async #follow(until: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!until.aborted) {
      await visible(until);
      let isLost = false;
      try {
        await this.#stream(until, () => backoff.reset());
      } catch (problem) {
        isLost = !until.aborted && !document.hidden;
        if (problem instanceof Problem && !problem.passes) {
          // The session has ended, or entries since then are no longer kept.
          if (problem.code !== 'feed_expired' && problem.code !== 'invalid_cursor') return;
          this.#last = undefined;
        }
      }
      this.isOpen = false;
      if (until.aborted || document.hidden) continue;
      const hurry = new AbortController();
      const calm = onReturn(() => hurry.abort());
      await backoff.pause(0, AbortSignal.any([until, hurry.signal]));
      calm();
      if (isLost && !until.aborted) this.told(undefined);
    }
  }

  async #stream(until: AbortSignal, onOpen: () => void): Promise<void> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    const hide = (): void => void (document.hidden && stop());
    let silence = setTimeout(stop, silentMs);
    until.addEventListener('abort', stop, { signal: end.signal });
    document.addEventListener('visibilitychange', hide, { signal: end.signal });
    try {
      const isNew = this.#last === undefined;
      this.#last ??= await this.#newest(end.signal);
      for await (const text of await this.#events(this.#last, end.signal)) {
        clearTimeout(silence);
        silence = setTimeout(stop, silentMs);
        if (!this.isOpen) {
          this.isOpen = true;
          onOpen();
          // Lists may have been read before.
          if (isNew) this.told(undefined);
        }
        const changes = [...text.matchAll(/^data: (.*)$/gm)].map(
          ([, entry]) => JSON.parse(entry ?? '') as Change,
        );
        this.#last = changes.at(-1)?.seq ?? this.#last;
        if (changes.length > 0) this.told(changes);
      }
    } finally {
      clearTimeout(silence);
      end.abort();
    }
  }

  async #newest(signal: AbortSignal): Promise<number> {
    const refusal: unknown = await this.#events(beyond, signal).catch(
      (problem: unknown) => problem,
    );
    const last = refusal instanceof Problem ? refusal.details['last'] : undefined;
    if (typeof last === 'number') return last;
    throw refusal;
  }

  /** The text of whole events, as they arrive. */
  async #events(last: number, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const stream: unknown = await this.access.call<unknown>(async (client) => {
      const { data, error, response } = await client.GET(path, {
        params: { path: { user_id: this.access.userId } },
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(last) },
        parseAs: 'stream',
        signal,
      });
      return data ? { data: { result: data }, response } : { error, response };
    });
    return wholeEvents(stream as ReadableStream<BufferSource>);
  }
}

async function* wholeEvents(stream: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const end = text.lastIndexOf('\n\n') + 2;
    if (end < 2) continue;
    yield text.slice(0, end);
    text = text.slice(end);
  }
}

/** Waits until the page is visible: of six connections to a server, hidden tabs need none. */
async function visible(until: AbortSignal): Promise<void> {
  while (document.hidden && !until.aborted) {
    await new Promise((resolve) => {
      const once = { once: true };
      document.addEventListener('visibilitychange', resolve, once);
      until.addEventListener('abort', resolve, once);
    });
  }
}
