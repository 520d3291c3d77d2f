export interface ServerEvent {
  readonly id: string;
  readonly data: string;
}

/** Server-sent events of one connection. */
export class EventReader {
  #text = '';

  private constructor(
    readonly response: Response,
    private readonly leave: AbortController,
    private readonly body: AsyncIterator<string> | undefined,
  ) {}

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const leave = new AbortController();
    const response = await fetch(url, { headers, signal: leave.signal });
    const text = response.body?.pipeThrough(new TextDecoderStream());
    return new EventReader(response, leave, text?.[Symbol.asyncIterator]());
  }

  /** The next event; comments are skipped. @throws when the stream ends. */
  async next(): Promise<ServerEvent> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        if (!(await this.#more())) throw new Error('the stream has ended');
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const fields = new Map(block.split('\n').map((line) => split(line)));
      const data = fields.get('data');
      if (data !== undefined) return { id: fields.get('id') ?? '', data };
    }
  }

  /** Resolves when the server has ended the stream properly. @throws if the connection breaks. */
  async ended(): Promise<boolean> {
    while (await this.#more());
    return true;
  }

  close(): void {
    this.leave.abort();
  }

  async #more(): Promise<boolean> {
    const chunk = await this.body?.next();
    if (!chunk || chunk.done) return false;
    this.#text += chunk.value;
    return true;
  }
}

const split = (line: string): [string, string] => {
  const colon = line.indexOf(': ');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
};
