import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../src/base/units.js';
import { Client } from '../../testkit/client.js';
import { Line } from '../../testkit/line.js';
import { filePart } from '../../testkit/pictures.js';
import type { CreatedUser, Image } from '../../testkit/records.js';
import type { PhoneFile } from './files.js';
import { uploadFrom } from './phone.js';
import { Watch } from './watch.js';

/** The line: half a megabit a second, cut once a minute on average, without a memory. */
const bytesPerSecond = 500_000 / 8;
const betweenCutsMs = minuteMs;

/** Attempts for a file between which nothing of it arrives, and the pause before each. */
const attempts = 8;
const pauseMs = secondMs;

/** How a phone sends its files. @returns whether the file has arrived. */
type Send = (phone: {
  readonly owner: CreatedUser;
  readonly file: PhoneFile;
  readonly line: Line;
  readonly signal: AbortSignal;
  /** Before another attempt, in milliseconds. */
  readonly pause: number;
}) => Promise<boolean>;

/** A form, from its first byte at each attempt. */
const asForm: Send = async ({ owner, file, line, signal, pause }) => {
  const bytes = await readFile(file.path);
  const path = `/api/v1/users/${owner.user_id}/images`;
  for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
    if (attempt > 0) await delay(pause);
    const answer = await new Client(line.url)
      .post<Image>(path, {
        as: ['User', owner.access_token],
        form: { image_data: filePart(bytes) },
        signal,
      })
      .catch(() => undefined); // the connection broke
    if (answer?.status === 200) return true;
  }
  return false;
};

const asTus: Send = async ({ owner, file, line, signal, pause }) => {
  const delays = Array.from({ length: attempts - 1 }, () => pause);
  return uploadFrom({ owner, file, line }, new Watch(), delays, signal).then(
    () => true,
    () => false,
  );
};

export const ways = { form: asForm, tus: asTus } as const;

/** What became of a phone's hour. */
export interface Hour {
  readonly arrived: number;
  readonly givenUp: number;
  /** Of what could have been sent in that time. */
  readonly usedPercent: number;
  readonly cuts: number;
}

interface HourOptions {
  readonly send: Send;
  /** URL of the service. */
  readonly url: string;
  readonly owner: CreatedUser;
  /** Sent again and again. */
  readonly file: PhoneFile;
  /** How many times as fast the line is, and as often cut. */
  readonly scale: number;
  /** Of the line's own time. */
  readonly ms: number;
  /** From 0 to 1; with the same sequence, lines are cut at the same times. */
  readonly random: () => number;
}

/** Sends files one after the other over a bad line. */
export async function hourOf(options: HourOptions): Promise<Hour> {
  const { send, url, owner, file, scale, random, ms } = options;
  const line = await Line.to(() => [url], {
    bytesPerSecond: bytesPerSecond * scale,
    untilCut: () => (-Math.log(1 - random()) * betweenCutsMs) / scale,
  });
  const signal = AbortSignal.timeout(ms / scale);
  const counts = { arrived: 0, givenUp: 0 };
  while (!signal.aborted) {
    const hasArrived = await send({ owner, file, line, signal, pause: pauseMs / scale });
    if (hasArrived) counts.arrived += 1;
    else if (!signal.aborted) counts.givenUp += 1;
  }
  const possible = (bytesPerSecond * ms) / secondMs;
  const usedPercent = Math.round((100 * counts.arrived * file.bytes) / possible);
  await line.close();
  return { ...counts, usedPercent, cuts: line.cuts };
}
