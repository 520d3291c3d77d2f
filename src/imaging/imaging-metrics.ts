import {
  imagingCpuSeconds,
  imagingKills,
  imagingProcesses,
  imagingQueue,
  imagingResidentBytes,
  imagingRunning,
  imagingWaitSeconds,
} from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import type { Admission, CostClass } from './admission.js';
import type { ImageFormat } from './port.js';
import type { Decoded } from './image-decoder.js';
import { processUsage } from './resource-watch.js';
import { stages, type StageQueues } from './stage-queues.js';

const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (processUsage(pid)?.residentBytes ?? 0), 0);

/** Adds a queue to the metrics. @returns a function that removes it. */
export function watchImaging(
  queues: StageQueues,
  admission: Admission,
  pids: () => readonly number[],
): () => void {
  const unwatch = [
    ...stages.map((stage) => imagingQueue.of(stage).watch(() => queues.size(stage))),
    imagingRunning.of().watch(() => admission.running),
    imagingProcesses.of().watch(() => pids().length),
    imagingResidentBytes.of().watch(() => residentBytes(pids())),
  ];
  return () => {
    for (const end of unwatch) end();
  };
}

/** @param arrivedAt as of `performance.now()`. */
export const countWait = (costClass: CostClass, arrivedAt: number): void =>
  imagingWaitSeconds.of(costClass).observe((performance.now() - arrivedAt) / secondMs);

/** Counts an attempt to decode an image, whatever its outcome. */
export function countDecoded(format: ImageFormat, { outcome, excess, cpuSeconds }: Decoded): void {
  imagingCpuSeconds.of(format).observe(cpuSeconds);
  if (outcome.kind === 'lost') imagingKills.of(excess ?? 'crash').add();
}
