/**
 * Every metric of imgstore itself. A process has one of each, as it has one log; the code that knows
 * a number imports its metric and counts. Labels are bounded by construction: ids of operations,
 * statuses, formats, names of jobs, never an id of a user, image or request. docs/metrics.md lists
 * them, and a test compares that list with a running service. The metrics of the installation are
 * in installation-metrics.ts.
 */
import { Counter, Gauge, Histogram } from './series.js';

/** Seconds of a request: from files, which take less than a millisecond, to uploads. */
const requestBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Seconds of one statement, or of one call of the store. */
const callBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
const waitBounds = [0.01, 0.1, 0.5, 1, 5, 15, 60];
const cpuBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const kilobyte = 1024;
const sizeBounds = [100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000].map(
  (kilobytes) => kilobytes * kilobyte,
);

// Requests.

export const requestSeconds = new Histogram({
  name: 'imgstore_http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer, by operation of the API; files: signed URLs; other: everything else',
  labels: ['operation'],
  bounds: requestBounds,
});

export const requests = new Counter({
  name: 'imgstore_http_requests_total',
  help: 'Requests by operation and status; aborted: the client left before the end of the answer',
  labels: ['operation', 'status'],
});

export const requestsInProgress = new Gauge({
  name: 'imgstore_http_requests_in_progress',
  help: 'Requests that have arrived and are not completely answered',
});

export const keyedRequests = new Counter({
  name: 'imgstore_idempotent_requests_total',
  help: 'Requests with an Idempotency-Key: done for the first time, answered as before (replayed), or failed',
  labels: ['outcome'],
}).startingWith('first', 'replayed', 'failed');

export const feedReaders = new Gauge({
  name: 'imgstore_feed_readers',
  help: 'Requests that wait for entries of the change feed',
});

// Uploads and imaging.

export const uploadBytes = new Histogram({
  name: 'imgstore_upload_bytes',
  help: 'Sizes of stored files, by format and by kind: image or edit',
  labels: ['format', 'kind'],
  bounds: sizeBounds,
});

export const openUploads = new Gauge({
  name: 'imgstore_uploads',
  help: 'Uploads that are received or processed (open), or wait for others of the same user (waiting)',
  labels: ['state'],
});

export const imagingQueue = new Gauge({
  name: 'imgstore_imaging_queue_length',
  help: 'Images that wait, by stage: inspection, then decoding as quick or heavy',
  labels: ['stage'],
});

export const imagingRunning = new Gauge({
  name: 'imgstore_imaging_running',
  help: 'Images that have a slot for decoding',
});

export const imagingWaitSeconds = new Histogram({
  name: 'imgstore_imaging_wait_seconds',
  help: 'Time from the end of the upload to the start of decoding, by cost class',
  labels: ['class'],
  bounds: waitBounds,
}).startingWith('quick', 'heavy');

export const imagingCpuSeconds = new Histogram({
  name: 'imgstore_imaging_cpu_seconds',
  help: 'CPU time that decoding and all renditions of one image took, by format',
  labels: ['format'],
  bounds: cpuBounds,
});

export const imagingOutcomes = new Counter({
  name: 'imgstore_imaging_images_total',
  help: 'Images by outcome: done, refused (the picture is at fault), failed, or dropped (waited too long, or the queue was full)',
  labels: ['outcome'],
}).startingWith('done', 'refused', 'failed', 'dropped');

export const imagingKills = new Counter({
  name: 'imgstore_imaging_kills_total',
  help: 'Imaging processes that ended while they worked on an image: for too much time or memory, at a standstill, to make way (yield), or by themselves (crash)',
  labels: ['reason'],
}).startingWith('time', 'memory', 'standstill', 'yield', 'crash');

export const imagingProcesses = new Gauge({
  name: 'imgstore_imaging_processes',
  help: 'Imaging processes that are running',
});

export const imagingResidentBytes = new Gauge({
  name: 'imgstore_imaging_resident_memory_bytes',
  help: 'Memory of all imaging processes',
});

// Database and object store.

export const querySeconds = new Histogram({
  name: 'imgstore_database_query_duration_seconds',
  help: 'Time from sending a statement to its last row',
  bounds: callBounds,
});

export const queryErrors = new Counter({
  name: 'imgstore_database_errors_total',
  help: 'Statements that failed, by kind: connection, timeout, conflict (deadlocks, locks), constraint (often expected), or other',
  labels: ['kind'],
}).startingWith('connection', 'timeout', 'conflict', 'constraint', 'other');

export const databaseConnections = new Gauge({
  name: 'imgstore_database_connections',
  help: 'Connections to the database, by state: busy or idle',
  labels: ['state'],
});

export const databaseConnectionsMax = new Gauge({
  name: 'imgstore_database_connections_max',
  help: 'Connections that the pools may open together',
});

export const databaseWaiting = new Gauge({
  name: 'imgstore_database_waiting',
  help: 'Requests for a connection that wait: for a free one (pool), or for the share of their caller (share)',
  labels: ['for'],
});

export const storeSeconds = new Histogram({
  name: 'imgstore_store_call_duration_seconds',
  help: 'Time of one call of the object store, by store and call; of get, to the first byte',
  labels: ['store', 'call'],
  bounds: callBounds,
});

export const storeErrors = new Counter({
  name: 'imgstore_store_errors_total',
  help: 'Calls of the object store that failed',
  labels: ['store', 'call'],
});

// Jobs and webhooks.

export const jobRuns = new Counter({
  name: 'imgstore_job_runs_total',
  help: 'Runs of scheduled jobs on this node, by outcome: ok or failed',
  labels: ['job_name', 'outcome'],
});

export const jobLastRun = new Gauge({
  name: 'imgstore_job_last_run_timestamp_seconds',
  help: 'When the latest run of a job ended, whatever its outcome',
  labels: ['job_name'],
});

export const jobLastSuccess = new Gauge({
  name: 'imgstore_job_last_success_timestamp_seconds',
  help: 'When the latest successful run of a job ended',
  labels: ['job_name'],
});

export const jobSeconds = new Gauge({
  name: 'imgstore_job_last_duration_seconds',
  help: 'How long the latest run of a job took',
  labels: ['job_name'],
});

export const webhookSeconds = new Histogram({
  name: 'imgstore_webhook_attempt_duration_seconds',
  help: 'Time of attempts to deliver an event, by outcome: delivered or failed',
  labels: ['outcome'],
  bounds: [0.05, 0.25, 1, 5, 15],
}).startingWith('delivered', 'failed');

// What this node is, and what it depends on.

export const buildInfo = new Gauge({
  name: 'imgstore_build_info',
  help: 'Always 1; the labels have the versions of imgstore and Node.js',
  labels: ['version', 'node'],
});

export const partUp = new Gauge({
  name: 'imgstore_part_up',
  help: 'Whether a part works, as /readyz reports it: database, migrations, store, disk, incoming, imaging',
  labels: ['part'],
});

export const diskFreeBytes = new Gauge({
  name: 'imgstore_disk_free_bytes',
  help: 'Free space of the disk that a directory of the home is on: incoming, and store unless the objects are elsewhere',
  labels: ['directory'],
});

export const logEntries = new Counter({
  name: 'imgstore_log_entries_total',
  help: 'Entries written to the log, by level: warn or error',
  labels: ['level'],
}).startingWith('warn', 'error');
