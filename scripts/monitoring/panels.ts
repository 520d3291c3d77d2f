// The contents of the dashboard: rows of panels, each with its queries.

/** An expression and its legend. */
type Query = readonly [expression: string, legend: string];

export interface Panel {
  readonly kind: 'stat' | 'timeseries';
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly Query[];
}

// All expressions select only the chosen nodes.
const where = 'instance=~"$instance"';
const every = '[$__rate_interval]';

const all = `{${where}}`;
const only = (more: string): string => `{${where},${more}}`;
const allOf = (metric: string): string => `${metric}${all}`;

const sumBy = (by: string, metric: string): string => `sum by (${by}) (${metric}${all})`;
const rate = (metric: string, by: string, selector = all): string =>
  `sum by (${by}) (rate(${metric}${selector}${every}))`;
const increase = (metric: string, by: string, span = every): string =>
  `sum by (${by}) (increase(${metric}${all}${span}))`;

const quantile = (q: number, metric: string, by = '', selector = all): string => {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, sum by (${labels}) (rate(${metric}_bucket${selector}${every})))`;
};
/** Several quantiles of one histogram. */
const quantiles = (of: readonly number[], metric: string, selector?: string): Query[] =>
  of.map((q) => [quantile(q, metric, '', selector), `p${q * 100}`]);

/** A value that is the same on every node. */
const shared = (metric: string, by: string): string => `max by (${by}) (${metric}${all})`;

/** A number. */
const stat = (title: string, unit: string, ...queries: readonly Query[]): Panel => ({
  kind: 'stat',
  title,
  unit,
  queries,
});
/** Lines over time. */
const chart = (title: string, unit: string, ...queries: readonly Query[]): Panel => ({
  kind: 'timeseries',
  title,
  unit,
  queries,
});

const seconds = 'imgstore_http_request_duration_seconds';
const api = only('operation!~"files|other"');
const failed = rate('imgstore_http_requests_total', 'job', only('status=~"5.."'));
const answered = rate('imgstore_http_requests_total', 'job');

/** The rows in order. */
export const rows: Readonly<Record<string, readonly Panel[]>> = {
  'At a glance': [
    stat('Parts', 'up', [`min by (part) (${allOf('imgstore_part_up')})`, '{{part}}']),
    stat('Version', 'name', [
      `count by (version) (${allOf('imgstore_build_info')})`,
      '{{version}}',
    ]),
    stat('Requests per second', 'reqps', [answered, '']),
    stat('Answered 5xx', 'percentunit', [`(${failed} or 0 * ${answered}) / ${answered}`, '']),
    stat('Images', 'short', [`sum(${shared('imgstore_platform_images', 'platform')})`, '']),
    stat('Stored', 'bytes', [`sum(${shared('imgstore_platform_stored_bytes', 'platform')})`, '']),
  ],
  Requests: [
    chart('Requests by status', 'reqps', [
      rate('imgstore_http_requests_total', 'status'),
      '{{status}}',
    ]),
    chart('Busiest operations', 'reqps', [
      `topk(10, ${rate('imgstore_http_requests_total', 'operation')})`,
      '{{operation}}',
    ]),
    chart('Duration of API operations', 's', ...quantiles([0.5, 0.95, 0.99], seconds, api)),
    chart('Slowest operations (p95)', 's', [
      `topk(10, ${quantile(0.95, seconds, 'operation', api)})`,
      '{{operation}}',
    ]),
    chart('Duration of files', 's', ...quantiles([0.5, 0.99], seconds, only('operation="files"'))),
    chart(
      'In progress',
      'short',
      [sumBy('instance', 'imgstore_http_requests_in_progress'), 'requests {{instance}}'],
      [sumBy('state', 'imgstore_uploads'), 'uploads {{state}}'],
      [sumBy('job', 'imgstore_feed_readers'), 'change feed readers'],
    ),
    chart('Requests with an Idempotency-Key', 'reqps', [
      rate('imgstore_idempotent_requests_total', 'outcome'),
      '{{outcome}}',
    ]),
  ],
  'Uploads and imaging': [
    chart('Stored files', 'ops', [
      rate('imgstore_upload_bytes_count', 'format, kind'),
      '{{format}} {{kind}}',
    ]),
    chart('Stored bytes', 'Bps', [rate('imgstore_upload_bytes_sum', 'format'), '{{format}}']),
    chart('Size of files', 'bytes', ...quantiles([0.5, 0.95], 'imgstore_upload_bytes')),
    chart('Uploads that resume', 'short', [
      shared('imgstore_resumable_uploads', 'state'),
      '{{state}}',
    ]),
    chart(
      'Imaging queue',
      'short',
      [sumBy('stage', 'imgstore_imaging_queue_length'), '{{stage}}'],
      [sumBy('job', 'imgstore_imaging_running'), 'running'],
    ),
    chart('Wait for imaging', 's', ...quantiles([0.5, 0.95], 'imgstore_imaging_wait_seconds')),
    chart('CPU time per image', 's', [
      `${rate('imgstore_imaging_cpu_seconds_sum', 'format')} / ${rate('imgstore_imaging_cpu_seconds_count', 'format')}`,
      '{{format}}',
    ]),
    chart('Cores taken by imaging', 'short', [
      rate('imgstore_imaging_cpu_seconds_sum', 'instance'),
      '{{instance}}',
    ]),
    chart('Images by outcome', 'ops', [
      rate('imgstore_imaging_images_total', 'outcome'),
      '{{outcome}}',
    ]),
    chart('Imaging processes ended', 'short', [
      increase('imgstore_imaging_kills_total', 'reason'),
      '{{reason}}',
    ]),
    chart('Memory of imaging processes', 'bytes', [
      sumBy('instance', 'imgstore_imaging_resident_memory_bytes'),
      '{{instance}}',
    ]),
    chart('Imaging processes', 'short', [
      sumBy('instance', 'imgstore_imaging_processes'),
      '{{instance}}',
    ]),
  ],
  'Database and object store': [
    chart('Statements', 'ops', [
      rate('imgstore_database_query_duration_seconds_count', 'instance'),
      '{{instance}}',
    ]),
    chart(
      'Duration of statements',
      's',
      ...quantiles([0.5, 0.95, 0.99], 'imgstore_database_query_duration_seconds'),
    ),
    chart('Failed statements', 'ops', [rate('imgstore_database_errors_total', 'kind'), '{{kind}}']),
    chart(
      'Connections',
      'short',
      [sumBy('state', 'imgstore_database_connections'), '{{state}}'],
      [sumBy('job', 'imgstore_database_connections_max'), 'allowed'],
      [sumBy('for', 'imgstore_database_waiting'), 'waiting for {{for}}'],
    ),
    chart('Calls of the store', 'ops', [
      rate('imgstore_store_call_duration_seconds_count', 'store, call'),
      '{{store}} {{call}}',
    ]),
    chart('Duration of calls (p95)', 's', [
      quantile(0.95, 'imgstore_store_call_duration_seconds', 'store, call'),
      '{{store}} {{call}}',
    ]),
    chart('Failed calls of the store', 'ops', [
      rate('imgstore_store_errors_total', 'store, call'),
      '{{store}} {{call}}',
    ]),
    chart('Free disk', 'bytes', [
      sumBy('instance, directory', 'imgstore_disk_free_bytes'),
      '{{instance}} {{directory}}',
    ]),
  ],
  Platforms: [
    chart('Stored by platform', 'bytes', [
      shared('imgstore_platform_stored_bytes', 'platform'),
      '{{platform}}',
    ]),
    chart('Images by platform', 'short', [
      shared('imgstore_platform_images', 'platform'),
      '{{platform}}',
    ]),
    stat('Platforms', 'short', [shared('imgstore_platforms', 'job'), '']),
    stat('Age of these figures', 's', [
      `time() - ${shared('imgstore_installation_read_timestamp_seconds', 'job')}`,
      '',
    ]),
  ],
  'Jobs and webhooks': [
    chart('Since the last success of each job', 's', [
      `time() - ${shared('imgstore_job_last_success_timestamp_seconds', 'job_name')}`,
      '{{job_name}}',
    ]),
    chart('Duration of jobs', 's', [
      shared('imgstore_job_last_duration_seconds', 'job_name'),
      '{{job_name}}',
    ]),
    chart('Runs of jobs', 'short', [
      increase('imgstore_job_runs_total', 'job_name, outcome', '[1h]'),
      '{{job_name}} {{outcome}}',
    ]),
    chart('Reclaim queue', 'short', [shared('imgstore_reclaim_objects', 'state'), '{{state}}']),
    chart('Oldest object to reclaim', 's', [
      shared('imgstore_reclaim_oldest_due_seconds', 'job'),
      'due for',
    ]),
    chart('Attempts of webhooks', 'ops', [
      rate('imgstore_webhook_attempt_duration_seconds_count', 'outcome'),
      '{{outcome}}',
    ]),
    chart('Duration of attempts (p95)', 's', [
      quantile(0.95, 'imgstore_webhook_attempt_duration_seconds', 'outcome'),
      '{{outcome}}',
    ]),
    chart(
      'Webhooks',
      'short',
      [shared('imgstore_webhooks', 'state'), '{{state}}'],
      [shared('imgstore_webhook_lanes', 'state'), 'users {{state}}'],
    ),
  ],
  Processes: [
    chart('CPU', 'percentunit', [
      rate('process_cpu_seconds_total', 'instance, process'),
      '{{instance}} {{process}}',
    ]),
    chart('Memory', 'bytes', [
      sumBy('instance, process', 'process_resident_memory_bytes'),
      '{{instance}} {{process}}',
    ]),
    chart('Heap', 'bytes', [
      sumBy('instance, process', 'nodejs_heap_size_used_bytes'),
      '{{instance}} {{process}}',
    ]),
    chart('Delay of the event loop (p99)', 's', [
      sumBy('instance, process', 'nodejs_eventloop_lag_p99_seconds'),
      '{{instance}} {{process}}',
    ]),
    chart('Open files', 'short', [
      sumBy('instance, process', 'process_open_fds'),
      '{{instance}} {{process}}',
    ]),
    chart('Entries of the log', 'short', [
      increase('imgstore_log_entries_total', 'instance, level'),
      '{{instance}} {{level}}',
    ]),
  ],
};
