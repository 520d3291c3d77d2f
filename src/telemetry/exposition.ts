import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { sampleAll } from './series.js';
import type { Sample } from './series.js';

/** The media type of the text. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Between two looks at the delay of the event loop: each is a wake-up of an idle process. */
const loopLookMs = 50;

/** Node's own metrics of this process. */
const own = new Registry();

/**
 * Adds Node's metrics to those of this process from now on: memory, CPU time, garbage collection,
 * delay of the event loop.
 * @param process which one of the node's it is, for the label `process`.
 */
export function measureProcess(process: string): void {
  own.clear();
  collectDefaultMetrics({
    register: own,
    labels: { process },
    eventLoopMonitoringPrecision: loopLookMs,
  });
}

/** All metrics of this process, to be merged with those of others. */
export async function sampleProcess(): Promise<Sample[]> {
  const nodes = (await own.getMetricsAsJSON()) as unknown as Sample[];
  // Each has the name of its process as a label, so there is nothing to add up or to leave out.
  return [...sampleAll(), ...nodes.map((metric) => ({ ...metric, aggregator: 'first' as const }))];
}

/** The sum of several processes' metrics. */
export async function merged(samples: readonly (readonly Sample[])[]): Promise<Sample[]> {
  const metrics: unknown = await AggregatorRegistry.aggregate([...samples]).getMetricsAsJSON();
  return metrics as Sample[];
}

/** The same as text for Prometheus. */
export const textOf = (samples: readonly (readonly Sample[])[]): Promise<string> =>
  AggregatorRegistry.aggregate([...samples]).metrics();
