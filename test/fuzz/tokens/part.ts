import { Random } from '../../../testkit/random.js';
import { jpeg } from '../../../testkit/pictures.js';
import { answersIn } from '../harness/answers.js';
import { documentedOperations, type DocumentedOperation } from '../harness/document.js';
import type { OwnedData } from '../harness/owned-data.js';
import { exchange } from '../../../testkit/exchange.js';
import { codeIn, complaintAbout } from '../harness/check-response.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import { Member } from '../../../testkit/world.js';
import type { Trial } from '../harness/trials.js';
import { bytesOf, type WireRequest } from '../../../testkit/wire-request.js';
import { composed, idFor, validDraft, type Draft, type Material } from '../requests/compose.js';
import type { TokenCast } from './cast.js';
import { intruders } from './intruders.js';

interface Expected {
  readonly status: number;
  readonly code?: string | undefined;
}

export interface TokensOptions {
  readonly tally: Tally;
  /** Try every n-th forged or malformed token; each is tried on some operations. */
  readonly each: number;
}

interface Matrix extends TokensOptions {
  readonly target: Appliance;
  readonly picture: Uint8Array;
}

function refusal(matrix: Matrix, name: string, request: WireRequest, expected: Expected): Trial {
  const sent = bytesOf(request);
  return {
    name,
    sent,
    run: async () => {
      const { bytes } = await exchange(matrix.target.port, { chunks: [sent] });
      const [answer] = answersIn(bytes);
      if (!answer) return 'no answer';
      matrix.tally.note(String(answer.status));
      const code = codeIn(answer);
      if (answer.status === 200) return 'let in';
      if (answer.status !== expected.status || (expected.code ?? code) !== code) {
        return `${answer.status} ${code} instead of ${expected.status} ${expected.code ?? ''}`;
      }
      return complaintAbout(answer);
    },
  };
}

/** A valid request of the operation on this estate. */
function effective(operation: DocumentedOperation, owned: OwnedData, matrix: Matrix): WireRequest {
  const material: Material = {
    estate: owned,
    admin: matrix.target.world.as,
    strangers: {},
    picture: matrix.picture,
  };
  const all = [...operation.query, ...operation.body].map((field) => ({
    ...field,
    required: true,
  }));
  const isBody = new Set(operation.body);
  const everything = {
    ...operation,
    query: all.slice(0, operation.query.length),
    body: isBody.size > 0 ? all.slice(operation.query.length) : [],
  };
  const draft: Draft = validDraft(everything, material, new Random(1), true);
  return composed(operation, draft, material, new Random(1));
}

const withoutToken = (headers: WireRequest['headers'] = []) =>
  headers.filter(([name]) => name !== 'Authorization');

const ofUsers = /^\/api\/v1\/users\//;

/** Every operation with every wrong token. @param turn selects the forged ones. */
function* byToken(
  operation: DocumentedOperation,
  cast: TokenCast,
  matrix: Matrix,
  turn: number,
): Generator<Trial> {
  const { scheme } = operation;
  if (!scheme) return;
  const request = effective(operation, cast.victim, matrix);
  let forgeries = turn;
  for (const intruder of intruders({ ...operation, scheme }, matrix.target, cast)) {
    const { header, cookie, query, forged } = intruder;
    if (forged && (forgeries += 1) % matrix.each !== 0) continue;
    // A path without an id is everybody's own.
    if (intruder.code === 'forbidden' && !operation.path.includes('{')) continue;
    const isForeignUser =
      intruder.code === 'forbidden' && scheme === 'Platform' && ofUsers.test(operation.path);
    const expected = isForeignUser ? { status: 400, code: 'user_not_found' } : intruder;
    const headers = [
      ...withoutToken(request.headers),
      ...(header === undefined ? [] : [['Authorization', header] as const]),
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
    ];
    const mark = request.path.includes('?') ? '&' : '?';
    const path = query === undefined ? request.path : `${request.path}${mark}${query}`;
    yield refusal(
      matrix,
      `${operation.id} by ${intruder.name}`,
      { ...request, path, headers },
      expected,
    );
  }
}

/** Every operation on the caller's path with ids of another user's records; tiles have no owner. */
function* byPath(
  operation: DocumentedOperation,
  cast: TokenCast,
  matrix: Matrix,
): Generator<Trial> {
  const inner = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').slice(1);
  const owned = inner.filter((name) => name.endsWith('_id'));
  for (const name of owned) {
    const wanted = idFor(operation, name);
    const ids = { ...cast.stranger.ids, [wanted]: cast.victim.ids[wanted] ?? '' };
    const request = effective(operation, { ...cast.stranger, ids }, matrix);
    const expected = ['archive_id', 'ledger_id'].includes(name) // addresses, which do not tell whether there are such
      ? { status: 403, code: 'forbidden' }
      : { status: 400, code: `${name.slice(0, -'_id'.length)}_not_found` };
    yield refusal(matrix, `${operation.id} with a foreign ${name}`, request, expected);
  }
}

/** Values that are not refresh tokens of the caller. */
function* refreshes(
  operation: DocumentedOperation,
  cast: TokenCast,
  matrix: Matrix,
): Generator<Trial> {
  const { victim, gone, revoked, expired } = cast;
  const tokens: Record<string, string> = {
    'an access token': victim.user.token,
    'an expired one': expired.User,
    'a deleted user’s': gone.user.record.refresh_token,
    'a revoked one': revoked.user.record.refresh_token,
    'a revoked platform’s': revoked.platform.record.refresh_token,
  };
  for (const [name, token] of Object.entries(tokens)) {
    const user = new Member(victim.platform, { ...victim.user.record, refresh_token: token });
    const request = effective(operation, { ...victim, user }, matrix);
    yield refusal(matrix, `${operation.id} with ${name}`, request, { status: 401 });
  }
}

/** The matrix of the document's operations and everybody who must be refused. */
export async function* tokenTrials(
  target: Appliance,
  cast: TokenCast,
  options: TokensOptions,
): AsyncGenerator<Trial> {
  const matrix = { ...options, target, picture: await jpeg({ width: 24, height: 16 }) };
  for (const [turn, operation] of (await documentedOperations(target)).entries()) {
    yield* byToken(operation, cast, matrix, turn);
    yield* byPath(operation, cast, matrix);
    // Visitors of a link have no token: the secret of the link is in the path.
    const isOfLink = operation.path.startsWith('/s/');
    if (!operation.scheme && !isOfLink) yield* refreshes(operation, cast, matrix);
  }
}
