import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { sampleAll } from './series.js';
import type { Sample } from './series.js';

/** The media type of the text. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Milliseconds between samples of the event-loop delay: each one wakes an idle process. */
const loopSampleMs = 50;

/** Node's own metrics of this process. */
const own = new Registry();

/**
 * Adds Node's metrics to those of this process from now on: memory, CPU time, garbage collection,
 * delay of the event loop.
 * @param process names this process of the node, for the label `process`.
 */
export function measureProcess(process: string): void {
  own.clear();
  collectDefaultMetrics({
    register: own,
    labels: { process },
    eventLoopMonitoringPrecision: loopSampleMs,
  });
}

/** All metrics of this process, to be merged with those of others. */
export async function sampleProcess(): Promise<Sample[]> {
  const nodes = (await own.getMetricsAsJSON()) as unknown as Sample[];
  // Each has its process as a label, so none needs to be added up or left out.
  return [...sampleAll(), ...nodes.map((metric) => ({ ...metric, aggregator: 'first' as const }))];
}

/** The sum of several processes' metrics. */
export async function merged(samples: readonly (readonly Sample[])[]): Promise<Sample[]> {
  const metrics: unknown = await AggregatorRegistry.aggregate([...samples]).getMetricsAsJSON();
  return metrics as Sample[];
}

/** The same as text for Prometheus. */
export const expositionText = (samples: readonly (readonly Sample[])[]): Promise<string> =>
  AggregatorRegistry.aggregate([...samples]).metrics();
