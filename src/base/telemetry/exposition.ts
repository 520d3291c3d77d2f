import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { sampleAll, type Sample, Gauge } from './series.js';

/** Metrics of the installation: the same on all its nodes, read at most once a minute. */
export const installationRead = new Gauge({
  name: 'imgstore_installation_read_timestamp_seconds',
  help: 'When this node last read the metrics of the installation from the database',
});

export const reclaimObjects = new Gauge({
  name: 'imgstore_reclaim_objects',
  help: 'Objects in the reclaim queue: all of them (pending), those that may be deleted now (due), and those that could not be deleted so far (failing)',
  labels: ['state'],
});

export const reclaimOldest = new Gauge({
  name: 'imgstore_reclaim_oldest_due_seconds',
  help: 'How long the oldest object that is due, or could not be deleted so far, has been waiting',
});

export const platformImages = new Gauge({
  name: 'imgstore_platform_images',
  help: 'Images that are not in the trash, of the 50 platforms that store most; other: all others together',
  labels: ['platform'],
});

export const platformBytes = new Gauge({
  name: 'imgstore_platform_stored_bytes',
  help: 'Bytes of originals and edits, trash included, of the same platforms',
  labels: ['platform'],
});

export const platformCount = new Gauge({
  name: 'imgstore_platforms',
  help: 'Platforms of the installation',
});

export const resumableUploads = new Gauge({
  name: 'imgstore_resumable_uploads',
  help: 'Unfinished uploads that could resume: bytes are missing (receiving), or all are there and wait to be stored (complete)',
  labels: ['state'],
});

export const webhookCount = new Gauge({
  name: 'imgstore_webhooks',
  help: 'Webhooks by state: active or paused',
  labels: ['state'],
});

export const feedHeld = new Gauge({
  name: 'imgstore_feed_held_seconds',
  help: 'How long the oldest transaction of the database server has held up change feeds and webhooks; "imgstore status" names it',
});

export const webhookLanes = new Gauge({
  name: 'imgstore_webhook_lanes',
  help: 'Users with events that an active webhook has yet to deliver (waiting), and those whose next event has failed before (failing)',
  labels: ['state'],
});

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
