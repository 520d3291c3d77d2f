import { setTimeout as delay } from 'node:timers/promises';
import { LoadGenerator } from '../harness/load.js';
import { picture } from '../harness/pictures.js';
import type { Row } from '../harness/row.js';
import { slowestOfHundred } from '../harness/wrk.js';

/** Of one reader of the list. */
const load = { connections: 1, seconds: 4 };
const images = 10_000;

/** The slowest of a hundred first pages, alone and while another user uploads. */
export const besideRow = (): Row => ({
  name: 'beside/uploads',
  title: 'First page, p99, beside 8 uploads at a time',
  limit: 'the same alone',
  unit: 'ms',
  goal: { atMost: 2 },
  open: async ({ small, scratch }) => {
    const service = await small();
    const [reader, sender] = [await service.user(images), await service.user(0)];
    const file = await picture(scratch);
    const generator = new LoadGenerator(); // the other one would wait for it
    const upload = { method: 'POST' as const, url: sender.url, headers: sender.headers, file };
    const clients = Array.from({ length: 8 }, () => [upload]);
    const list = () => slowestOfHundred({ url: reader.url, headers: reader.headers }, load);
    const ours = async (): Promise<number> => {
      const until = { seconds: load.seconds + 1 };
      const over = generator.run({ clients, until, status: 200 });
      await delay(500);
      return list().finally(() => over);
    };
    return { ours, limit: list, close: async () => generator.close() };
  },
});
