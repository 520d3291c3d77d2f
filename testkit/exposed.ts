import assert from 'node:assert/strict';

/** The parsed answer of a scrape. */
export class Exposed {
  /** By name: type and help. */
  readonly metrics = new Map<string, { type: string; help: string }>();
  /** By name and labels, as printed. */
  readonly series = new Map<string, number>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, kind, name = '', text = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (kind) this.#note(kind, name, text);
      else if (line !== '') this.#read(line);
    }
  }

  #note(kind: string, name: string, text: string): void {
    const known = this.metrics.get(name) ?? { type: '', help: '' };
    this.metrics.set(name, kind === 'HELP' ? { ...known, help: text } : { ...known, type: text });
  }

  #read(line: string): void {
    const [, name = '', value = ''] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    assert.ok(name, `not a line of the format: ${line}`);
    assert.ok(!this.series.has(name), `twice: ${name}`);
    this.series.set(name, Number(value));
  }

  /** The sum of all series of this name that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const found = this.#found(name, labels);
    return found.reduce((total, [, value]) => total + value, 0);
  }

  has(name: string, labels: Readonly<Record<string, string>> = {}): boolean {
    return this.#found(name, labels).length > 0;
  }

  /** The label names of a metric. */
  labelsOf(name: string): string[] {
    const names = this.#found(name, {}).flatMap(([series]) =>
      [...series.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label),
    );
    return [...new Set(names)].filter((label) => label !== 'le').sort();
  }

  #found(name: string, labels: Readonly<Record<string, string>>): [string, number][] {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return [...this.series].filter(
      ([series]) =>
        (series === name || series.startsWith(`${name}{`)) &&
        wanted.every((label) => series.includes(label)),
    );
  }
}

/** Scrapes the metrics of a service. */
export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Exposed> {
  const answer = await fetch(url, { headers });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return new Exposed(await answer.text());
}
