/**
 * What this process counts, in plain numbers: a series is found once, and counting is an addition.
 * prom-client writes the numbers down when they are asked for (exposition.ts); its own counters make
 * a text of the labels on every call, which is more than a small file may cost (docs/adr/0043).
 */

/** What a metric is, as docs/metrics.md lists it. */
export interface Definition {
  readonly name: string;
  readonly help: string;
  /** Names of the labels; their values come from small, fixed sets. */
  readonly labels?: readonly string[];
}

type Labels = Readonly<Record<string, string | number>>;

/** One line of the exposition. */
export interface SampledValue {
  readonly labels: Labels;
  readonly value: number;
  /** Where it is not that of the metric: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string;
}

/** A metric at one moment, in the form that prom-client merges and prints. */
export interface Sample {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How several processes' values become one. */
  readonly aggregator: 'sum' | 'first';
  readonly values: readonly SampledValue[];
}

const families: Family<unknown>[] = [];

/** All metrics of this process, now. */
export const sampleAll = (): Sample[] => families.map((family) => family.sample());

/** A metric: one series for each combination of values of its labels. */
abstract class Family<Series> {
  readonly #series = new Map<string, { readonly labels: Labels; readonly series: Series }>();

  constructor(
    private readonly definition: Definition,
    private readonly type: Sample['type'],
  ) {
    families.push(this);
  }

  /** The series with these values of the labels, in their order; worth keeping where time counts. */
  of(...values: readonly string[]): Series {
    const key = values.join('\n');
    const known = this.#series.get(key);
    if (known) return known.series;
    const names = this.definition.labels ?? [];
    const labels = Object.fromEntries(names.map((name, n) => [name, values[n] ?? '']));
    const series = this.create();
    this.#series.set(key, { labels, series });
    return series;
  }

  /** Begins series of its only label with nothing: one that appears later has no increase at first. */
  startingWith(...values: readonly string[]): this {
    for (const value of values) this.of(value);
    return this;
  }

  sample(): Sample {
    const { name, help } = this.definition;
    const values = [...this.#series.values()].flatMap(({ labels, series }) =>
      this.valuesOf(series, labels, name),
    );
    return { name, help, type: this.type, aggregator: 'sum', values };
  }

  /** Forgets all series. */
  protected clear(): void {
    this.#series.clear();
  }

  protected abstract create(): Series;
  protected abstract valuesOf(series: Series, labels: Labels, name: string): SampledValue[];
}

/** A number that goes up, or, of a gauge, down as well. */
class NumberSeries {
  value = 0;
  readonly #watched = new Set<() => number>();

  add(more = 1): void {
    this.value += more;
  }

  set(value: number): void {
    this.value = value;
  }

  /** Adds what `look` returns whenever the metric is asked for. @returns what ends this. */
  watch(look: () => number): () => void {
    this.#watched.add(look);
    return () => void this.#watched.delete(look);
  }

  read(): number {
    let sum = this.value;
    for (const look of this.#watched) sum += look();
    return sum;
  }
}

abstract class NumberFamily extends Family<NumberSeries> {
  protected create(): NumberSeries {
    return new NumberSeries();
  }

  protected valuesOf(series: NumberSeries, labels: Labels): SampledValue[] {
    return [{ labels, value: series.read() }];
  }
}

export class Counter extends NumberFamily {
  constructor(definition: Definition) {
    super(definition, 'counter');
  }
}

export class Gauge extends NumberFamily {
  constructor(definition: Definition) {
    super(definition, 'gauge');
  }

  /** Has these series and no others from now on: values of the labels, and the number. */
  replace(rows: readonly (readonly [values: readonly string[], value: number])[]): void {
    this.clear();
    for (const [values, value] of rows) this.of(...values).add(value);
  }
}

/** How many observed values lie between two bounds. */
class HistogramSeries {
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds upper ends of the buckets, ascending. */
  constructor(private readonly bounds: readonly number[]) {
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  read(labels: Labels, name: string): SampledValue[] {
    let count = 0;
    const buckets = this.#counts.map((more, bucket) => {
      const le = this.bounds[bucket] ?? '+Inf';
      return { labels: { le, ...labels }, value: (count += more), metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }
}

export class Histogram extends Family<HistogramSeries> {
  readonly #bounds: readonly number[];

  constructor({ bounds, ...definition }: Definition & { readonly bounds: readonly number[] }) {
    super(definition, 'histogram');
    this.#bounds = bounds;
  }

  protected create(): HistogramSeries {
    return new HistogramSeries(this.#bounds);
  }

  protected valuesOf(series: HistogramSeries, labels: Labels, name: string): SampledValue[] {
    return series.read(labels, name);
  }
}

/**
 * What stays true of a process that has ended: what it counted. Prometheus would take a smaller sum
 * for a restart, and add all of it once more.
 */
export const lasting = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ type, aggregator }) => type !== 'gauge' && aggregator === 'sum');
