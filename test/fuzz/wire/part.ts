import type { Appliance } from '../../../testkit/appliance.js';
import type { Caller } from '../../../testkit/client.js';
import { answersIn, type WireAnswer } from '../harness/answers.js';
import { exchange, type Exchange } from '../../../testkit/exchange.js';
import { complaintAbout } from '../harness/check-response.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Trial } from '../harness/trials.js';
import { authorization, bytesOf } from '../../../testkit/wire-request.js';
import { chunked, oddChunks } from './chunked.js';
import { crowds } from './crowds.js';
import { multipartFloods, urlencodedFloods } from './floods.js';
import { oddHeads } from './heads.js';
import { smuggling } from './smuggling.js';
import { boundary, formTokens, variantsOf } from './upload-form.js';

const refreshPath = '/api/v1/auth/refresh';
const multipart = `multipart/form-data; boundary=${boundary}`;
const urlencoded = 'application/x-www-form-urlencoded';

export interface WireOptions {
  /** Try every n-th variant of the forms. */
  readonly each: number;
  readonly tally: Tally;
}

type Judge = (answers: readonly WireAnswer[]) => string | undefined;

interface Wire {
  readonly target: Appliance;
  readonly tally: Tally;
}

/** Bytes for the service, and an additional check of the answer. */
function wireTrial(
  { target, tally }: Wire,
  name: string,
  sent: Uint8Array,
  more: Omit<Exchange, 'chunks'> & Partial<Exchange> = {},
  judge: Judge = () => undefined,
): Trial {
  return {
    name,
    sent,
    run: async () => {
      const sending = { chunks: [sent], then: 'until-silent', ...more } as const;
      const { bytes, how } = await exchange(target.port, sending);
      tally.note(name.split(':', 1)[0] ?? name);
      if (how === 'late') return 'neither an answer nor an end in 20 s';
      const head = Buffer.from(sent.subarray(0, 5)).toString() === 'HEAD ';
      const answers = heard(bytes, head);
      if (typeof answers === 'string') return answers;
      for (const answer of answers) {
        const complaint = complaintAbout(answer, head);
        if (complaint) return complaint;
      }
      return judge(answers);
    },
  };
}

function heard(bytes: Buffer, head: boolean): WireAnswer[] | string {
  try {
    return answersIn(bytes, head);
  } catch (error) {
    return (error as Error).message;
  }
}

const once: Judge = ({ length }) => (length > 1 ? `${length} answers to one request` : undefined);
/** What follows the end of a body is another request, and no valid one. */
const onceAndRefused: Judge = ([, ...others]) =>
  others.some(({ status }) => status !== 400) ? 'what follows the end is answered' : undefined;
/**
 * A flood is refused for its size or its form, whichever shows first in what has arrived. No answer is
 * acceptable, too: the connection may be reset while the rest is being sent.
 */
const refused: Judge = ([answer]) =>
  answer && answer.status !== 413 && answer.status !== 400
    ? `${answer.status} instead of 413 or 400`
    : undefined;
const notSmuggled: Judge = (answers) =>
  answers.some(({ status }) => status === 404) ? 'the hidden request is answered' : undefined;

interface Form {
  readonly path: string;
  readonly caller?: Caller;
  readonly field: string;
  readonly value: string;
}

/** One form for each way in which the service reads them: anonymous, with a file, with fields only. */
function* variants(wire: Wire, forms: readonly Form[], each: number): Generator<Trial> {
  let n = 0;
  for (const { path, caller, field, value } of forms) {
    const headers = [
      ['Content-Type', multipart] as const,
      ...(caller ? [authorization(caller)] : []),
    ];
    for (const { name, body } of variantsOf(formTokens(field, value, 'GIF89a\x01\0\x01\0'))) {
      n += 1;
      if (n % each !== 0) continue;
      const whole = bytesOf({ method: 'POST', path, headers, body });
      const coded = [...headers, ['Transfer-Encoding', 'chunked'] as const];
      const pieces = bytesOf({ method: 'POST', path, headers: coded, body: chunked(body, 7) });
      yield wireTrial(wire, `form: ${name}`, whole, {}, once);
      yield wireTrial(wire, `form in chunks: ${name}`, pieces, {}, once);
    }
  }
}

const refresh = (type: string, body: Uint8Array, coded = true): Buffer =>
  bytesOf({
    method: 'POST',
    path: refreshPath,
    body,
    headers: [
      ['Content-Type', type],
      ...(coded ? [['Transfer-Encoding', 'chunked'] as const] : []),
    ],
  });

function* oddTrials(wire: Wire): Generator<Trial> {
  for (const [name, text] of Object.entries(oddHeads)) {
    yield wireTrial(wire, `head: ${name}`, Buffer.from(text, 'latin1'));
  }
  for (const [name, text] of Object.entries(smuggling)) {
    yield wireTrial(wire, `smuggling: ${name}`, Buffer.from(text, 'latin1'), {}, notSmuggled);
  }
  for (const [name, text] of Object.entries(oddChunks)) {
    yield wireTrial(
      wire,
      `chunks: ${name}`,
      refresh(urlencoded, Buffer.from(text, 'latin1')),
      {},
      name === 'two ends' ? onceAndRefused : once,
    );
  }
}

function* floodTrials(wire: Wire): Generator<Trial> {
  for (const [type, floods] of [
    [multipart, multipartFloods()],
    [urlencoded, urlencodedFloods()],
  ] as const) {
    for (const [name, text] of Object.entries(floods)) {
      const body = Buffer.from(text, 'latin1');
      const sent = refresh(type, chunked(body, 60_000));
      yield wireTrial(wire, `flood: ${name}`, sent, { limitMs: 40_000 }, refused);
      yield wireTrial(
        wire,
        `flood: ${name}, with its length`,
        refresh(type, body, false),
        {},
        refused,
      );
    }
  }
}

/** A small form sent byte by byte, and truncated after every byte. */
function* slowTrials(wire: Wire, each: number): Generator<Trial> {
  const whole = refresh(urlencoded, Buffer.from('refresh_token=x'), false);
  const chunks = Array.from(whole, (byte) => Buffer.of(byte));
  const answered: Judge = ([answer]) =>
    answer?.status === 401 ? undefined : `status ${answer?.status} byte by byte`;
  yield wireTrial(wire, 'slow: byte by byte', whole, { chunks, pauseMs: 2 }, answered);
  for (let at = 1; at < whole.length; at += each) {
    const cut = whole.subarray(0, at);
    yield wireTrial(wire, 'cut: and ended', cut, { then: 'end' });
    yield wireTrial(wire, 'cut: and reset', cut, { then: 'reset' });
  }
}

/** Malformed heads, chunks, lengths and connections, which no library sends. */
export function* wireTrials(target: Appliance, { each, tally }: WireOptions): Generator<Trial> {
  const wire = { target, tally };
  yield* oddTrials(wire);
  yield* slowTrials(wire, each);
  yield* floodTrials(wire);
  yield* crowds(target, tally);
}

/** Multipart forms with an error at every position, for every way in which forms are read. */
export async function* formTrials(target: Appliance, options: WireOptions): AsyncGenerator<Trial> {
  const user = await target.world.user();
  const path = `/api/v1/users/${user.id}`;
  const caller: Caller = ['User', user.token];
  const forms: Form[] = [
    { path: refreshPath, field: 'refresh_token', value: 'x' },
    { path: `${path}/images`, caller, field: 'address_road', value: 'Main Street' },
    { path: `${path}/folders`, caller, field: 'title', value: 'holidays' },
  ];
  yield* variants({ target, tally: options.tally }, forms, options.each);
}
