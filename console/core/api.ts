import { createImgstoreClient, ImgstoreError } from '../../clients/typescript/src/index.js';
import type {
  components as published,
  ImgstoreClient,
} from '../../clients/typescript/src/index.js';
import { Problem, problemOf } from './problem';
import { seek, unanswered } from './reach';
import { end, session } from './session';
import type { Scope, Session } from './session';

export type { ImgstoreClient };

/** What narrow tokens are not told, and the console's tokens are. */
type Withheld =
  'path_url' | 'org_path_url' | 'thumb_url' | 'full_url' | `${'access' | 'refresh'}_token`;

/** A record as whoever is signed in gets it: with all URLs and tokens. */
export type Whole<Value> = Value extends readonly (infer Item)[]
  ? Whole<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Whole<Key extends Withheld ? NonNullable<Value[Key]> : Value[Key]> }
    : Value;

export interface components {
  readonly schemas: Whole<published['schemas']>;
}

const schemes = { admin: 'Admin', platform: 'Platform', user: 'User' } as const satisfies Readonly<
  Record<Scope, string>
>;

/** For calls that retry by themselves. If the server is away for longer, core/reach.ts takes over. */
const retry = { attempts: 4 };

/** The typed client, which only sends requests to the server that the page came from. */
export const clientOf = ({ scope, token }: Pick<Session, 'scope' | 'token'>): ImgstoreClient =>
  createImgstoreClient({ baseUrl: location.origin, scheme: schemes[scope], token, retry });

/** For a body that is no form: those end the lines of a text with CRLF. */
export const asJson = {
  bodySerializer: (body: unknown) => JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
};

/** As the typed client gives it. */
export interface Answer<Result> {
  readonly data?: { readonly result: Result };
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer to a method of the client that sends its request again by itself. */
export const answered = <Result>(sent: Promise<Result>): Promise<Answer<Result>> =>
  sent.then(
    (result) => ({ data: { result }, response: Response.json(null) }),
    (cause: unknown) => {
      if (!(cause instanceof ImgstoreError)) throw cause;
      const { status, code, field, details } = cause;
      const message = cause.message.replace(`${code}: `, '');
      const error = { error: { code, message, field, details } };
      return { error, response: Response.json(error, { status }) };
    },
  );

type Send<Result> = (client: ImgstoreClient) => Promise<Answer<Result>>;

/**
 * Sends a request with the token of the session. If the token is no longer valid, the session ends,
 * and the page asks for another token.
 * @throws Problem.
 */
export async function call<Result>(send: Send<Result>): Promise<Whole<Result>> {
  const current = session.value;
  if (!current) throw problemOf(401, undefined);
  try {
    return await callAs(current, send);
  } catch (problem) {
    // Only a refusal of this session's own token ends it: another session may have begun meanwhile.
    if (problem instanceof Problem && problem.status === 401 && session.value === current) {
      end(problem.code === 'token_expired' ? 'expired' : 'refused');
    }
    throw problem;
  }
}

/** Sends a request with a token other than that of the session. @throws Problem. */
export async function callAs<Result>(
  caller: Pick<Session, 'scope' | 'token'>,
  send: Send<Result>,
): Promise<Whole<Result>> {
  const answer = await send(clientOf(caller)).catch((cause: unknown) => {
    if ((cause as Error).name === 'AbortError') throw cause;
    throw unanswered();
  });
  if (answer.data) return answer.data.result as Whole<Result>;
  const problem = problemOf(answer.response.status, answer.error);
  if (problem.isSilence) seek();
  throw problem;
}
