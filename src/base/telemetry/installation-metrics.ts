/** Metrics of the installation: the same on all its nodes, read at most once a minute. */
import { Gauge } from './series.js';

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

export const webhookCount = new Gauge({
  name: 'imgstore_webhooks',
  help: 'Webhooks by state: active or paused',
  labels: ['state'],
});

export const webhookLanes = new Gauge({
  name: 'imgstore_webhook_lanes',
  help: 'Users with events that an active webhook has yet to deliver (waiting), and those whose next event has failed before (failing)',
  labels: ['state'],
});
