import { workerData } from 'node:worker_threads';
import type { ProcessSettings, InspectionOutcome } from '../src/imaging/protocol.js';
import { outcomeOf } from './refused.js';
import { inspect } from './inspect/inspect.js';

/** The piscina task that examines the structure of an image, in JavaScript only. */
export default async function task(path: string): Promise<InspectionOutcome> {
  try {
    return { kind: 'inspected', inspection: await inspect(path, workerData as ProcessSettings) };
  } catch (error) {
    return outcomeOf(error);
  }
}
