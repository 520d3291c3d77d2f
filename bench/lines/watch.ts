/** An answer that a client of tus got. */
export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Upload-Offset. */
  readonly offset: string | undefined;
}

/** Watches what clients are answered: which statuses, and whether an offset ever goes back. */
export class Watch {
  readonly findings: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #offsets = new Map<string, number>();

  readonly note = ({ method, url, status, offset }: SeenAnswer): void => {
    const what = `${method} ${status}`;
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    if (status >= 500 && status !== 503) this.findings.push(`${method} ${url} was ${status}`);
    if (status >= 300 || offset === undefined || method === 'POST') return;
    const before = this.#offsets.get(url) ?? 0;
    const now = Number(offset);
    if (now < before) this.findings.push(`the offset of ${url} went from ${before} to ${now}`);
    this.#offsets.set(url, Math.max(before, now));
  };

  /** How often each method was answered with each status. */
  get counts(): string {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ');
  }

  /** How many uploads were begun. */
  get begun(): number {
    return this.#counts.get('POST 201') ?? 0;
  }
}
