/**
 * The metrics of this process, as plain numbers: a series is looked up once, and counting is an
 * addition. prom-client renders the numbers on request (exposition.ts); its own counters serialize
 * the labels on every call, which costs too much when serving a small file.
 */

/** A metric, as docs/metrics.md lists it. */
interface Definition {
  readonly name: string;
  readonly help: string;
  /** Names of the labels; their values come from small, fixed sets. */
  readonly labels?: readonly string[];
}

type Labels = Readonly<Record<string, string | number>>;

/** One line of the exposition. */
interface SampledValue {
  readonly labels: Labels;
  readonly value: number;
  /** If it differs from the name of the metric: `…_bucket`, `…_sum`, `…_count`. */
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

  /** The series with these label values, in the order of the labels; keep it where time counts. */
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

  /** Starts series of the only label at zero: the first increase of one that appears later is lost. */
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

  /** Removes all series. */
  protected clear(): void {
    this.#series.clear();
  }

  protected abstract create(): Series;
  protected abstract valuesOf(series: Series, labels: Labels, name: string): SampledValue[];
}

/** A number that goes up or, in a gauge, also down. */
class NumberSeries {
  value = 0;
  readonly #watched = new Set<() => number>();

  add(more = 1): void {
    this.value += more;
  }

  set(value: number): void {
    this.value = value;
  }

  /** Adds the result of `read` whenever the metric is sampled. @returns a function that ends this. */
  watch(read: () => number): () => void {
    this.#watched.add(read);
    return () => void this.#watched.delete(read);
  }

  read(): number {
    let sum = this.value;
    for (const read of this.#watched) sum += read();
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

  /** Replaces all series by these: label values, and the number. */
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
 * The counts of a process that has ended, which stay in the sum: Prometheus would take a smaller sum
 * for a restart, and count all of it again.
 */
export const lasting = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ type, aggregator }) => type !== 'gauge' && aggregator === 'sum');
