import type { Soaked } from './soak.js';
import type { RequestCounts } from './request-counts.js';

/** The given percentile of request times, in milliseconds. */
function percentile(times: readonly number[], percent: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return (sorted[at] ?? 0).toFixed(0);
}

function* operationLines({ operations }: RequestCounts): Generator<string> {
  yield `${'operation'.padEnd(22)}${'requests'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}  statuses`;
  const sorted = [...operations].sort(([, a], [, b]) => b.times.length - a.times.length);
  for (const [name, { statuses, times }] of sorted) {
    const counts = [...statuses].sort().map(([status, n]) => `${status}: ${n}`);
    const measurements = [times.length, percentile(times, 50), percentile(times, 99)];
    const columns = measurements.map((figure) => String(figure).padStart(9)).join('');
    yield `${name.padEnd(22)}${columns}  ${counts.join(', ')}`;
  }
}

/** The final report. */
export function reportOf({ tally, findings, images, seconds, requests }: Soaked): string {
  const crossTalk = findings.filter((finding) => finding.crossTalk).length;
  const limited = [...tally.limited].map(([message, n]) => `  ${n} × ${message}`);
  return [
    ...operationLines(tally),
    '',
    `${requests} requests in ${seconds.toFixed(1)} s: ${(requests / seconds).toFixed(0)} per second`,
    `${images} images owned at the end, their originals compared bit for bit`,
    `${crossTalk} cross-talk findings, ${findings.length - crossTalk} other findings`,
    `${tally.failures} responses of 500 and above`,
    `${limited.length === 0 ? 'No' : 'Some'} requests rejected by limits, with Retry-After`,
    ...limited,
    ...findings.map(({ text }) => `✖ ${text}`),
  ].join('\n');
}
