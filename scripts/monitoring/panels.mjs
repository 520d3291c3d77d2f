// What the dashboard shows: rows of panels, each with its queries. `where` narrows to the chosen nodes.
const where = 'instance=~"$instance"';
const only = (more) => `{${where},${more}}`;
const all = `{${where}}`;
const every = '[$__rate_interval]';

const rate = (metric, by, selector = all) => `sum by (${by}) (rate(${metric}${selector}${every}))`;
const quantile = (q, metric, by = '', selector = all) =>
  `histogram_quantile(${q}, sum by (${['le', by].filter(Boolean).join(', ')}) (rate(${metric}_bucket${selector}${every})))`;
/** Of what is the same on every node. */
const shared = (metric, by, selector = all) => `max by (${by}) (${metric}${selector})`;

const api = only('operation!~"files|other"');
const statuses = (pattern) =>
  rate('imgstore_http_requests_total', 'job', only(`status=~"${pattern}"`));

/** Kinds: stat (one number), or a chart over time. Queries: expression and legend. */
export const rows = [
  {
    title: 'At a glance',
    panels: [
      {
        title: 'Parts',
        kind: 'stat',
        unit: 'up',
        queries: [[`min by (part) (imgstore_part_up${all})`, '{{part}}']],
      },
      {
        title: 'Versions',
        kind: 'stat',
        text: 'name',
        queries: [[`count by (version) (imgstore_build_info${all})`, '{{version}}']],
      },
      {
        title: 'Requests per second',
        kind: 'stat',
        unit: 'reqps',
        queries: [[rate('imgstore_http_requests_total', 'job'), '']],
      },
      {
        title: 'Failed with 5xx',
        kind: 'stat',
        unit: 'percentunit',
        queries: [[`(${statuses('5..')} or 0 * ${statuses('.*')}) / ${statuses('.*')}`, '']],
      },
      {
        title: 'Images',
        kind: 'stat',
        unit: 'short',
        queries: [['sum(' + shared('imgstore_platform_images', 'platform') + ')', '']],
      },
      {
        title: 'Stored',
        kind: 'stat',
        unit: 'bytes',
        queries: [['sum(' + shared('imgstore_platform_stored_bytes', 'platform') + ')', '']],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: [[rate('imgstore_http_requests_total', 'status'), '{{status}}']],
      },
      {
        title: 'Busiest operations',
        unit: 'reqps',
        queries: [
          [`topk(10, ${rate('imgstore_http_requests_total', 'operation')})`, '{{operation}}'],
        ],
      },
      {
        title: 'Duration of API operations',
        unit: 's',
        queries: [0.5, 0.95, 0.99].map((q) => [
          quantile(q, 'imgstore_http_request_duration_seconds', '', api),
          `p${q * 100}`,
        ]),
      },
      {
        title: 'Slowest operations (p95)',
        unit: 's',
        queries: [
          [
            `topk(10, ${quantile(0.95, 'imgstore_http_request_duration_seconds', 'operation', api)})`,
            '{{operation}}',
          ],
        ],
      },
      {
        title: 'Duration of files',
        unit: 's',
        queries: [0.5, 0.99].map((q) => [
          quantile(q, 'imgstore_http_request_duration_seconds', '', only('operation="files"')),
          `p${q * 100}`,
        ]),
      },
      {
        title: 'In progress',
        unit: 'short',
        queries: [
          [`sum by (instance) (imgstore_http_requests_in_progress${all})`, 'requests {{instance}}'],
          [`sum by (state) (imgstore_uploads${all})`, 'uploads {{state}}'],
          [`sum by (job) (imgstore_feed_readers${all})`, 'change feed readers'],
        ],
      },
      {
        title: 'Requests with an Idempotency-Key',
        unit: 'reqps',
        queries: [[rate('imgstore_idempotent_requests_total', 'outcome'), '{{outcome}}']],
      },
    ],
  },
  {
    title: 'Uploads and imaging',
    panels: [
      {
        title: 'Stored files',
        unit: 'ops',
        queries: [[rate('imgstore_upload_bytes_count', 'format, kind'), '{{format}} {{kind}}']],
      },
      {
        title: 'Stored bytes',
        unit: 'Bps',
        queries: [[rate('imgstore_upload_bytes_sum', 'format'), '{{format}}']],
      },
      {
        title: 'Size of files',
        unit: 'bytes',
        queries: [0.5, 0.95].map((q) => [quantile(q, 'imgstore_upload_bytes'), `p${q * 100}`]),
      },
      {
        title: 'Imaging queue',
        unit: 'short',
        queries: [
          [`sum by (stage) (imgstore_imaging_queue_length${all})`, '{{stage}}'],
          [`sum by (job) (imgstore_imaging_running${all})`, 'running'],
        ],
      },
      {
        title: 'Wait for imaging',
        unit: 's',
        queries: [0.5, 0.95].map((q) => [
          quantile(q, 'imgstore_imaging_wait_seconds', 'class'),
          `p${q * 100} {{class}}`,
        ]),
      },
      {
        title: 'CPU seconds per image',
        unit: 's',
        queries: [
          [
            `${rate('imgstore_imaging_cpu_seconds_sum', 'format')} / ${rate('imgstore_imaging_cpu_seconds_count', 'format')}`,
            '{{format}}',
          ],
        ],
      },
      {
        title: 'Cores taken by imaging',
        unit: 'short',
        queries: [[rate('imgstore_imaging_cpu_seconds_sum', 'instance'), '{{instance}}']],
      },
      {
        title: 'Images by outcome',
        unit: 'ops',
        queries: [[rate('imgstore_imaging_images_total', 'outcome'), '{{outcome}}']],
      },
      {
        title: 'Imaging processes ended',
        unit: 'short',
        queries: [
          [`sum by (reason) (increase(imgstore_imaging_kills_total${all}${every}))`, '{{reason}}'],
        ],
      },
      {
        title: 'Memory of imaging processes',
        unit: 'bytes',
        queries: [
          [`sum by (instance) (imgstore_imaging_resident_memory_bytes${all})`, '{{instance}}'],
          [`sum by (instance) (imgstore_imaging_processes${all})`, 'processes {{instance}}'],
        ],
      },
    ],
  },
  {
    title: 'Database and object store',
    panels: [
      {
        title: 'Statements',
        unit: 'ops',
        queries: [
          [rate('imgstore_database_query_duration_seconds_count', 'instance'), '{{instance}}'],
        ],
      },
      {
        title: 'Duration of statements',
        unit: 's',
        queries: [0.5, 0.95, 0.99].map((q) => [
          quantile(q, 'imgstore_database_query_duration_seconds'),
          `p${q * 100}`,
        ]),
      },
      {
        title: 'Failed statements',
        unit: 'ops',
        queries: [[rate('imgstore_database_errors_total', 'kind'), '{{kind}}']],
      },
      {
        title: 'Connections',
        unit: 'short',
        queries: [
          [`sum by (state) (imgstore_database_connections${all})`, '{{state}}'],
          [`sum by (job) (imgstore_database_connections_max${all})`, 'allowed'],
          [`sum by (for) (imgstore_database_waiting${all})`, 'waiting for {{for}}'],
        ],
      },
      {
        title: 'Calls of the store',
        unit: 'ops',
        queries: [
          [rate('imgstore_store_call_duration_seconds_count', 'store, call'), '{{store}} {{call}}'],
        ],
      },
      {
        title: 'Duration of calls (p95)',
        unit: 's',
        queries: [
          [
            quantile(0.95, 'imgstore_store_call_duration_seconds', 'store, call'),
            '{{store}} {{call}}',
          ],
        ],
      },
      {
        title: 'Failed calls of the store',
        unit: 'ops',
        queries: [[rate('imgstore_store_errors_total', 'store, call'), '{{store}} {{call}}']],
      },
      {
        title: 'Free disk',
        unit: 'bytes',
        queries: [
          [
            `min by (instance, directory) (imgstore_disk_free_bytes${all})`,
            '{{instance}} {{directory}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Platforms',
    panels: [
      {
        title: 'Stored by platform',
        unit: 'bytes',
        queries: [[shared('imgstore_platform_stored_bytes', 'platform'), '{{platform}}']],
      },
      {
        title: 'Images by platform',
        unit: 'short',
        queries: [[shared('imgstore_platform_images', 'platform'), '{{platform}}']],
      },
      {
        title: 'Platforms',
        kind: 'stat',
        unit: 'short',
        queries: [[shared('imgstore_platforms', 'job'), '']],
      },
      {
        title: 'Age of these figures',
        kind: 'stat',
        unit: 's',
        queries: [
          [`time() - ${shared('imgstore_installation_read_timestamp_seconds', 'job')}`, ''],
        ],
      },
    ],
  },
  {
    title: 'Jobs and webhooks',
    panels: [
      {
        title: 'Since the last success of each job',
        unit: 's',
        queries: [
          [
            `time() - ${shared('imgstore_job_last_success_timestamp_seconds', 'job_name')}`,
            '{{job_name}}',
          ],
        ],
      },
      {
        title: 'Duration of jobs',
        unit: 's',
        queries: [[shared('imgstore_job_last_duration_seconds', 'job_name'), '{{job_name}}']],
      },
      {
        title: 'Runs of jobs',
        unit: 'short',
        queries: [
          [
            `sum by (job_name, outcome) (increase(imgstore_job_runs_total${all}[1h]))`,
            '{{job_name}} {{outcome}}',
          ],
        ],
      },
      {
        title: 'Reclaim queue',
        unit: 'short',
        queries: [[shared('imgstore_reclaim_objects', 'state'), '{{state}}']],
      },
      {
        title: 'Oldest object to reclaim',
        unit: 's',
        queries: [[shared('imgstore_reclaim_oldest_due_seconds', 'job'), 'due for']],
      },
      {
        title: 'Attempts of webhooks',
        unit: 'ops',
        queries: [
          [rate('imgstore_webhook_attempt_duration_seconds_count', 'outcome'), '{{outcome}}'],
        ],
      },
      {
        title: 'Duration of attempts (p95)',
        unit: 's',
        queries: [
          [quantile(0.95, 'imgstore_webhook_attempt_duration_seconds', 'outcome'), '{{outcome}}'],
        ],
      },
      {
        title: 'Webhooks',
        unit: 'short',
        queries: [
          [shared('imgstore_webhooks', 'state'), '{{state}}'],
          [shared('imgstore_webhook_lanes', 'state'), 'users {{state}}'],
        ],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'CPU',
        unit: 'percentunit',
        queries: [
          [rate('process_cpu_seconds_total', 'instance, process'), '{{instance}} {{process}}'],
        ],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [
          [
            `sum by (instance, process) (process_resident_memory_bytes${all})`,
            '{{instance}} {{process}}',
          ],
        ],
      },
      {
        title: 'Heap',
        unit: 'bytes',
        queries: [
          [
            `sum by (instance, process) (nodejs_heap_size_used_bytes${all})`,
            '{{instance}} {{process}}',
          ],
        ],
      },
      {
        title: 'Delay of the event loop (p99)',
        unit: 's',
        queries: [
          [
            `max by (instance, process) (nodejs_eventloop_lag_p99_seconds${all})`,
            '{{instance}} {{process}}',
          ],
        ],
      },
      {
        title: 'Open files',
        unit: 'short',
        queries: [
          [`sum by (instance, process) (process_open_fds${all})`, '{{instance}} {{process}}'],
        ],
      },
      {
        title: 'Entries of the log',
        unit: 'short',
        queries: [
          [
            `sum by (instance, level) (increase(imgstore_log_entries_total${all}${every}))`,
            '{{instance}} {{level}}',
          ],
        ],
      },
    ],
  },
];
