import { requests, requestSeconds, requestsInProgress } from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';

type Status = number | 'aborted';

/** The series of one operation, cached because looking them up takes longer than counting. */
class OperationSeries {
  readonly #seconds: ReturnType<typeof requestSeconds.of>;
  readonly #byStatus = new Map<Status, ReturnType<typeof requests.of>>();

  constructor(private readonly operation: string) {
    this.#seconds = requestSeconds.of(operation);
  }

  count(status: Status, ms: number): void {
    this.#seconds.observe(ms / secondMs);
    let series = this.#byStatus.get(status);
    if (!series) this.#byStatus.set(status, (series = requests.of(this.operation, `${status}`)));
    series.add();
  }
}

const operations = new Map<string, OperationSeries>();
const inProgress = requestsInProgress.of();

/** Must be followed by {@link countRequest}. */
export const beginRequest = (): void => inProgress.add();

/** @param operation an operation id, `files`, or `other`. */
export function countRequest(operation: string, status: Status, ms: number): void {
  inProgress.add(-1);
  let series = operations.get(operation);
  if (!series) operations.set(operation, (series = new OperationSeries(operation)));
  series.count(status, ms);
}
