import { workerData } from 'node:worker_threads';
import type { ProcessSettings, SurveyOutcome } from '../src/imaging/protocol.js';
import { outcomeOf } from './refused.js';
import { survey } from './survey/survey.js';

/** The piscina task that examines the structure of an image, in JavaScript only. */
export default async function task(path: string): Promise<SurveyOutcome> {
  try {
    return { kind: 'surveyed', survey: await survey(path, workerData as ProcessSettings) };
  } catch (error) {
    return outcomeOf(error);
  }
}
