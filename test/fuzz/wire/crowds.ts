import { answersIn } from '../harness/answers.js';
import { exchange, stall } from '../../../testkit/exchange.js';
import { complaintAbout } from '../harness/check-response.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { Trial } from '../harness/trials.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const bundle = get('/docs/swagger-ui-bundle.js');
const post =
  'POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
  'Content-Length: 15\r\n\r\nrefresh_token=x';
const last = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/**
 * Many requests on one connection that is read; the answers must be in order. The service may close the
 * connection before it has answered all of them if it says so.
 */
function pipeline(
  target: Appliance,
  name: string,
  requests: string,
  statuses: readonly number[],
): Trial {
  const sent = Buffer.from(requests + last);
  return {
    name: `pipeline: ${name}`,
    sent,
    run: async () => {
      const { bytes, how } = await exchange(target.port, { chunks: [sent], limitMs: 60_000 });
      const answers = answersIn(bytes);
      if (how === 'late') return `${answers.length} answers in 60 s`;
      const complaint = answers
        .map((answer) => complaintAbout(answer))
        .find((found) => found !== undefined);
      if (complaint) return complaint;
      const wanted = [...statuses, 200].slice(0, answers.length);
      const got = answers.map(({ status }) => status);
      if (got.join() !== wanted.join()) return `answers ${got.slice(0, 20).join()}, not in order`;
      const reported = answers.at(-1)?.headers.get('connection') === 'close';
      return reported ? undefined : `an end after ${got.length} answers that nobody has announced`;
    },
  };
}

const times = <T>(count: number, item: T): T[] => new Array<T>(count).fill(item);

/** Connections that send requests and do not read, closed after a while. */
function stalled(
  target: Appliance,
  name: string,
  requests: string,
  connections: number,
  ms: number,
): Trial {
  const sent = Buffer.from(requests);
  return {
    name: `stalled: ${name}`,
    sent,
    run: async () => {
      await Promise.all(times(connections, sent).map((bytes) => stall(target.port, bytes, ms)));
      return undefined;
    },
  };
}

/** Connections that request much at once. */
export function* crowds(target: Appliance, tally: Tally): Generator<Trial> {
  const trials = [
    pipeline(target, 'a hundred small ones', get('/livez').repeat(100), times(100, 200)),
    pipeline(
      target,
      'with bodies',
      (get('/livez') + post).repeat(50),
      times(50, [200, 401]).flat(),
    ),
    stalled(target, 'two thousand large answers on a connection', bundle.repeat(2_000), 1, 4_000),
    stalled(target, 'one large answer on each of a hundred', bundle, 100, 4_000),
    stalled(
      target,
      'twenty readiness checks on each of fifty',
      get('/readyz').repeat(20),
      50,
      3_000,
    ),
    stalled(target, 'half a head on each of two hundred', 'GET /livez HTTP/1.1\r\nHo', 200, 3_000),
    stalled(target, 'half a body on each of two hundred', post.slice(0, -3), 200, 3_000),
  ];
  for (const trial of trials) {
    tally.note(trial.name.split(':', 1)[0] ?? '');
    yield trial;
  }
}
