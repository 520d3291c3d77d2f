import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError, invalidField } from '../../base/errors/catalogue.js';
import type { Claims } from '../auth/claims.js';
import type { Call, ValidatedRequest } from '../call.js';
import type { FilePart } from '../form.js';
import {
  type IdempotencyKeys,
  type KeptAnswer,
  type ObjectUrl,
  fillMarks,
  urlMark,
} from './keys.js';
import type { KeyId } from './idempotency.sql.js';
import { type ResolveUrl, takesKeys, type Operation } from '../operation.js';
import { RawJson } from '../paging/batches.js';
import { writeJson } from '../streamed-response.js';
import {
  type ReceivedForm,
  type UploadStaging,
  receiveForm,
  type ReceivedFile,
} from '../upload.js';
import type { RawFields } from '../form-fields.js';

/** The request header, and the response header of replays. */
export const keyHeader = 'Idempotency-Key';
export const replayedHeader = 'Idempotency-Replayed';

const visible = /^[!-~]{1,255}$/;

/**
 * The key of a request and its owner; undefined if it has none.
 * @throws ServiceError `invalid_field` for a malformed one.
 */
export function keyOf(
  operation: Operation,
  { headers }: IncomingMessage,
  { userId, platformId }: Claims,
): KeyId | undefined {
  const owner = userId ?? platformId;
  if (owner === undefined || !takesKeys(operation)) return undefined;
  const key = checkedKey(headers['idempotency-key']);
  return key === undefined ? undefined : { owner, key };
}

/** @throws ServiceError `invalid_field` for a malformed key. */
export function checkedKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined || (typeof key === 'string' && visible.test(key))) return key;
  throw invalidField(keyHeader, '1 to 255 visible ASCII characters, without blanks');
}

/** The parts of a request that are compared with another. */
interface ComparedRequest {
  /** Stands for the method and the path. */
  readonly operation: string;
  /** The ids in the path. */
  readonly path: object;
  /** Known fields, validated. */
  readonly input: object;
  /** SHA-256 of the file. */
  readonly file?: Buffer | undefined;
}

/** SHA-256 of a request as understood, independent of the order and notation of its fields. */
export function fingerprintOf({ operation, path, input, file }: ComparedRequest): Buffer {
  const said = [operation, path, input, file?.toString('hex')];
  return createHash('sha256').update(JSON.stringify(said, inOrder)).digest();
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Receives a repeated upload for its fields and the hash of its file; the file is not stored.
 * @param suffices stops reading at the file.
 * @throws ServiceError as `receiveForm`.
 */
const receiveRepeat = (
  { operation, known, request, response }: Call,
  { maxBytes }: Pick<UploadStaging, 'maxBytes'>,
  suffices: NonNullable<FilePart['suffices']>,
): Promise<ReceivedForm> =>
  receiveForm(request, response, {
    part: operation.upload?.part ?? '',
    known,
    maxBytes,
    remainingBytes: Infinity, // the user has already stored it
    keep: hashed,
    suffices,
  });

async function hashed(content: AsyncIterable<Buffer>): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path: '', bytes, hash: hash.digest() };
}

/** Receives an upload that is not a repeat, and passes it on. */
type Receive = (use: (form: ReceivedForm) => Promise<void>) => Promise<void>;

/** The parts of a request that are compared with the first one. */
interface Compared {
  readonly input: RawFields;
  readonly file?: { readonly hash: Buffer };
}

/** Leaves marks for URLs in a stored answer; they are signed or made absolute when it is sent. */
const markUrls: ResolveUrl = Object.assign((url: string) => (isPath(url) ? urlMark(url) : url), {
  ofObject: urlMark,
});

/** Tells a path of the API from the key of an object. */
const isPath = (url: string): boolean => url.startsWith('/');

/** Answers requests with an Idempotency-Key: the first one is executed, repeats get its answer. */
export class KeyedRequests {
  constructor(
    private readonly keys: IdempotencyKeys,
    /** Signs the URL of an object. */
    private readonly sign: (key: string, name?: string) => string,
  ) {}

  /** Answers a request whose body has been read. */
  async answer(id: KeyId, call: Call, form: ReceivedForm): Promise<void> {
    const validated = call.validateForm(form);
    await this.keys.runOnce(
      id,
      () => this.#first(id, call, validated),
      (kept) => this.#again(kept, call, validated),
    );
  }

  /** Answers an upload whose body has not been read yet. */
  async receive(
    id: KeyId,
    call: Call,
    staging: Pick<UploadStaging, 'maxBytes'>,
    receive: Receive,
  ): Promise<void> {
    await this.keys.runOnce(
      id,
      () => receive((form) => this.#first(id, call, call.validateForm(form))),
      (kept) => this.#repeat(kept, call, staging),
    );
  }

  /** Executes the request in one transaction with the record of its key. */
  async #first(id: KeyId, call: Call, validated: ValidatedRequest): Promise<void> {
    // An upload is decoded first, which must not hold a transaction open.
    const begin = validated.file ? 'with first transaction' : 'immediately';
    const keyed = { id, fingerprint: fingerprint(call, validated), begin } as const;
    let kept: KeptAnswer;
    try {
      kept = await this.keys.record(keyed, async (writer) =>
        writeJson(await call.handle(validated, markUrls), writer),
      );
    } catch (error) {
      // If the connection that held the key has died, a repeat may have run as well. Whichever was
      // slower fails, for example because the folder exists by now: it is a repeat after all.
      const meanwhile = await this.keys.find(id).catch(() => undefined);
      if (!meanwhile) throw error;
      return this.#again(meanwhile, call, validated);
    }
    await this.#send(kept, call);
  }

  async #again(kept: KeptAnswer, call: Call, compared: Compared): Promise<void> {
    if (!isSame(kept, call, compared)) throw reused();
    call.response.setHeader(replayedHeader, 'true');
    await this.#send(kept, call).catch((error: unknown) => {
      if (!call.response.headersSent) call.response.removeHeader(replayedHeader);
      throw error;
    });
  }

  /**
   * Needs only the fields and the file's hash; the file is not read if its hash is known before it.
   */
  async #repeat(
    kept: KeptAnswer,
    call: Call,
    staging: Pick<UploadStaging, 'maxBytes'>,
  ): Promise<void> {
    let announced: Compared | undefined;
    const form = await receiveRepeat(call, staging, async (fields) => {
      const { input, hash } = call.announced(fields) ?? {};
      if (!input || !hash) return false;
      if (!isSameFile(kept, call, hash)) throw reused();
      const compared = { input, file: { hash } };
      if (isSame(kept, call, compared)) announced = compared; // else, fields may follow the file
      return announced !== undefined;
    });
    await this.#again(kept, call, announced ?? call.validateForm(form));
  }

  async #send(kept: KeptAnswer, call: Call): Promise<void> {
    const { resolveUrl } = call;
    const url: ObjectUrl = (key, name) => {
      if (isPath(key)) return resolveUrl(key);
      return resolveUrl.withholds ? null : resolveUrl(this.sign(key, name));
    };
    await call.send(new RawJson(filled(kept, url)));
  }
}

const isSame = (kept: KeptAnswer, call: Call, compared: Compared): boolean =>
  kept.fingerprint.equals(fingerprint(call, compared));

/** Whether the first request had this file, and was the same but for its fields. */
const isSameFile = (kept: KeptAnswer, call: Call, hash: Buffer): boolean =>
  kept.fingerprint.subarray(-hashBytes).equals(fingerprintOfFile(call, hash));

const reused = (): ServiceError => new ServiceError('idempotency_key_reused');

/**
 * `image_hash` is left out, since the hash of the file itself is included. That of an upload is
 * followed by the fingerprint of what can be known before its fields.
 */
const fingerprint = (call: Call, { input, file }: Compared): Buffer => {
  const { operation, arrival } = call;
  const whole = fingerprintOf({
    operation: operation.id,
    path: arrival.path,
    input: { ...input, image_hash: undefined },
    file: file?.hash,
  });
  return file ? Buffer.concat([whole, fingerprintOfFile(call, file.hash)]) : whole;
};

const fingerprintOfFile = ({ operation, arrival }: Call, file: Buffer): Buffer =>
  fingerprintOf({ operation: operation.id, path: arrival.path, input: {}, file });

/** Of a SHA-256. */
const hashBytes = 32;

async function* filled(kept: KeptAnswer, url: ObjectUrl): AsyncGenerator<string> {
  for await (const text of kept.pieces()) yield fillMarks(text, url);
}
