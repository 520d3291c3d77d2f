import type { Request as ExpressRequest, Response } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { assertFieldsAllowed } from './auth/allow.js';
import type { Claims } from './auth/claims.js';
import { disconnectSignal, sendJson, StreamedResponse, sendStream } from './streamed-response.js';
import { sendVersioned, VersionedResponse } from './ranged-response.js';
import { success } from './envelope.js';
import { contentLength, sendContinue, urlencodedFields } from './body.js';
import { fieldLimits, KnownFields, type RawFields } from './form-fields.js';
import { validate, withoutEmpty, withoutNothing } from './request-fields.js';
import { bodyChunks } from './multipart.js';
import {
  type Arrival,
  type Exchange,
  type Operation,
  type ResolveUrl,
  streamsOf,
} from './operation.js';
import { pathOf, queryOf } from './host.js';
import { assertFileHash, hashField, type ReceivedFile, type ReceivedForm } from './upload.js';

/** For which a client may still send a body that is not needed, in milliseconds. */
const closingMs = 100;

/** Characters of a part's name that are quoted in the error message. */
const maxName = 100;

/** The error for an upload without its file; explains what was received instead. */
function missingFile(part: string, form: ReceivedForm): ServiceError {
  const message = `${part} is required: ${explanation(part, form)}`;
  return new ServiceError('missing_field', { field: part, message });
}

function explanation(part: string, { fields, otherFiles = [] }: ReceivedForm): string {
  const [name] = otherFiles;
  if (name !== undefined) {
    return `the file came as "${name.slice(0, maxName)}"; name its part ${part}.`;
  }
  if (fields[part] !== undefined) {
    return `it came as text; send it as a file, with a filename (curl: -F ${part}=@photo.jpg).`;
  }
  return `send multipart/form-data with the file in the part ${part}.`;
}

/** The body and the query of a request, validated. */
export interface ValidatedRequest {
  readonly input: RawFields;
  readonly file?: ReceivedFile;
}

/** One authorized request to an operation. */
export class Call {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The fields that the operation reads. */
  readonly known: KnownFields;
  readonly arrival: Arrival<string> & { readonly path: Readonly<Record<string, string>> };

  constructor(
    readonly operation: Operation,
    readonly request: ExpressRequest,
    readonly response: Response,
    caller: Claims,
    readonly resolveUrl: ResolveUrl,
  ) {
    this.signal = disconnectSignal(response);
    this.known = knownFieldsOf(operation);
    this.arrival = { path: lowerCased(request.params), caller };
  }

  /**
   * Each set of fields is read first from its documented place, then from the other.
   * @throws ServiceError `missing_field`, `invalid_field`, `not_allowed`.
   */
  read(body: RawFields): RawFields {
    const { operation } = this;
    const query = withoutEmpty(this.#query());
    const input = {
      ...(operation.query && validate(operation.query, withoutNothing({ ...body, ...query }))),
      ...(operation.body &&
        validate(operation.body, operation.bodyAlone ? body : { ...query, ...body })),
    };
    const names = Object.keys({ ...operation.body?.shape, ...operation.allowFields });
    const given = names.filter((name) => name in query || name in body);
    assertFieldsAllowed(this.arrival.caller, operation, input, given);
    return input;
  }

  #query(): RawFields {
    const rules = { known: this.known, limits: fieldLimits };
    return urlencodedFields(Buffer.from(queryOf(this.request.originalUrl), 'latin1'), rules);
  }

  /** What is known of an upload before its file; undefined while its fields are not valid. */
  announced(
    fields: () => RawFields,
  ): { readonly input: RawFields; readonly hash: Buffer | undefined } | undefined {
    try {
      const input = this.read(fields());
      return { input, hash: hashField(input) };
    } catch (error) {
      // Missing fields may follow the file, and invalid ones are reported once all have arrived.
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  /** @throws ServiceError if a field or the file is missing or invalid. */
  validateForm(form: ReceivedForm): ValidatedRequest {
    const { upload } = this.operation;
    const { fields, file } = form;
    const input = this.read(fields);
    if (upload && !file) throw missingFile(upload.part, form);
    if (file) assertFileHash(input, file);
    return { input, ...(file && { file }) };
  }

  /** @param resolveUrl resolves the URLs in the result. */
  handle({ input, file }: ValidatedRequest, resolveUrl = this.resolveUrl): Promise<unknown> {
    const { arrival, request, response, signal } = this;
    const header = (name: string): string | undefined => request.get(name);
    const setHeader = (name: string, value: string): void => void response.set(name, value);
    const rest = { resolveUrl, header, setHeader, signal };
    return this.operation.handle({ ...arrival, input, ...rest }, file);
  }

  /** What a protocol sees of the request. @param inUploadSlot takes an upload slot of the caller. */
  exchange(inUploadSlot: Exchange<string>['inUploadSlot']): Exchange<string> {
    const { arrival, request, response, resolveUrl, signal } = this;
    const { headers } = request;
    const isEncoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
    return {
      ...arrival,
      at: pathOf(request.url).replace(/\/$/, ''),
      headers,
      body: {
        bytes: headers['transfer-encoding'] === undefined ? contentLength(request) : undefined,
        type: isEncoded ? '' : (headers['content-type'] ?? '').trim().toLowerCase(),
        read: (limits) => {
          sendContinue(request, response);
          return bodyChunks(request, { ...limits, per: 'chunk' });
        },
      },
      resolveUrl,
      signal,
      inUploadSlot,
      leaveBody: () => {
        const cut = (): void => void request.socket.destroy();
        const late = guarded(cut, () => {
          if (!request.complete) cut();
        });
        const answered = guarded(cut, () => void setTimeout(late, closingMs));
        response.once('finish', answered);
      },
      set: (named) => void response.set(named),
      end: (status) => void response.status(status).end(),
    };
  }

  async send(result: unknown): Promise<void> {
    const [stream] = streamsOf(this.operation);
    if (result instanceof VersionedResponse)
      return sendVersioned(result, stream ?? 'application/json; charset=utf-8', this);
    if (stream === undefined) await sendJson(success(result), 'json', this);
    else if (result instanceof StreamedResponse) await sendStream(result, stream, this);
    else if (this.operation.bare) await sendJson(result, stream, this);
    else await sendJson(success(result), 'json', this);
  }
}

const knownByOperation = new WeakMap<Operation, KnownFields>();

/** The fields of body and query, each of which is read from either; and the file's name. */
function knownFieldsOf(operation: Operation): KnownFields {
  const { query, body, upload } = operation;
  const known = knownByOperation.get(operation) ?? new KnownFields([query, body], upload?.part);
  knownByOperation.set(operation, known);
  return known;
}

/** Ids are stored in lowercase; clients may send them in any case. The rest of a path comes in segments. */
const lowerCased = (path: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(path).map(([name, id]) => [name, [id].flat().join('/').toLowerCase()]),
  );
