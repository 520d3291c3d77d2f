import { postmasterPid } from '../../testkit/command.js';
import { residentMb } from '../../testkit/memory.js';
import { withDescendants } from '../../testkit/processes.js';
import type { BenchService } from './bench-service.js';

const sampleMs = 50;

/** Starts to watch the memory of a service and its private database, in megabytes. */
export function watchMemory({ home, pid }: BenchService): { peak: () => Promise<number> } {
  let most = 0;
  const sample = async (): Promise<void> => {
    const server = await postmasterPid(home);
    const pids = await withDescendants(server === undefined ? [pid] : [pid, server]);
    most = Math.max(most, await residentMb(pids));
  };
  const timer = setInterval(() => void sample(), sampleMs);
  return {
    peak: async () => {
      clearInterval(timer);
      await sample();
      return most;
    },
  };
}
