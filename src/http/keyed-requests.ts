import { ServiceError } from '../errors/catalogue.js';
import { fingerprintOf } from '../idempotency/fingerprint.js';
import type { IdempotencyKeys, KeptAnswer, KeyId } from '../idempotency/keys.js';
import { fillMarks, urlMark } from '../idempotency/url-marks.js';
import { JsonText } from '../paging/raw-json.js';
import type { Call, Understood } from './call.js';
import { replayedHeader } from './idempotency-key.js';
import type { ResolveUrl } from './operation.js';
import { receiveRepeat } from './repeated-upload.js';
import { writeJson } from './streamed-json.js';
import type { ReceivedForm, UploadStaging } from './upload.js';
import type { RawFields } from './validate.js';

/** Receives an upload that was not seen before, and passes it on. */
type Receive = (use: (form: ReceivedForm) => Promise<void>) => Promise<void>;

/** What of a request is compared with the first one. */
interface Compared {
  readonly input: RawFields;
  readonly file?: { readonly hash: Buffer };
}

/** URLs in an answer that is kept: whoever sends it signs them. */
const markUrls: ResolveUrl = Object.assign((address: string) => address, { ofObject: urlMark });

/** Answers requests with an Idempotency-Key: the first one by doing it, repeats as the first one. */
export class KeyedRequests {
  constructor(
    private readonly keys: IdempotencyKeys,
    /** Signs the URL of an object. */
    private readonly sign: (key: string) => string,
  ) {}

  /** A request whose body has been read. */
  async answer(id: KeyId, call: Call, form: ReceivedForm): Promise<void> {
    const understood = call.understand(form);
    await this.keys.happen(
      id,
      () => this.#first(id, call, understood),
      (kept) => this.#again(kept, call, understood),
    );
  }

  /** An upload, whose body is still to come. */
  async receive(
    id: KeyId,
    call: Call,
    staging: Pick<UploadStaging, 'maxBytes'>,
    receive: Receive,
  ): Promise<void> {
    await this.keys.happen(
      id,
      () => receive((form) => this.#first(id, call, call.understand(form))),
      (kept) => this.#repeat(kept, call, staging),
    );
  }

  /** Does what was asked, as one transaction with the key. */
  async #first(id: KeyId, call: Call, understood: Understood): Promise<void> {
    // An upload is decoded first, which is none of a transaction's business.
    const begin = understood.file ? 'with its effect' : 'at once';
    const keyed = { id, fingerprint: fingerprint(call, understood), begin } as const;
    const kept = await this.keys.keep(keyed, async (writer) =>
      writeJson(await call.handle(understood, markUrls), writer),
    );
    await this.#send(kept, call);
  }

  async #again(kept: KeptAnswer, call: Call, compared: Compared): Promise<void> {
    if (!isSame(kept, call, compared)) throw new ServiceError('idempotency_key_reused');
    call.response.setHeader(replayedHeader, 'true');
    await this.#send(kept, call).catch((error: unknown) => {
      if (!call.response.headersSent) call.response.removeHeader(replayedHeader);
      throw error;
    });
  }

  /** Only the fields and the hash of the file are needed: by what precedes the file, if it says all. */
  async #repeat(
    kept: KeptAnswer,
    call: Call,
    staging: Pick<UploadStaging, 'maxBytes'>,
  ): Promise<void> {
    let announced: Compared | undefined;
    const form = await receiveRepeat(call, staging, (fields) => {
      const compared = announcedBy(fields, call);
      if (compared && isSame(kept, call, compared)) announced = compared;
      return announced !== undefined;
    });
    await this.#again(kept, call, announced ?? call.understand(form));
  }

  async #send(kept: KeptAnswer, call: Call): Promise<void> {
    const url = (key: string): string => call.resolveUrl(this.sign(key));
    await call.send(new JsonText(filled(kept, url)));
  }
}

/** What the fields before a file say of the request, if they name the file by its hash. */
function announcedBy(fields: RawFields, call: Call): Compared | undefined {
  try {
    const input = call.read(fields);
    const { image_hash: hash } = input;
    return typeof hash === 'string'
      ? { input, file: { hash: Buffer.from(hash, 'hex') } }
      : undefined;
  } catch (error) {
    // Missing fields may follow the file, and wrong ones are reported once all have arrived.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const isSame = (kept: KeptAnswer, call: Call, compared: Compared): boolean =>
  kept.fingerprint.equals(fingerprint(call, compared));

/** What a client says of its file's hash adds nothing to the file. */
const fingerprint = ({ operation, arrival }: Call, { input, file }: Compared): Buffer =>
  fingerprintOf({
    operation: operation.id,
    path: arrival.path,
    input: { ...input, image_hash: undefined },
    file: file?.hash,
  });

async function* filled(kept: KeptAnswer, url: (key: string) => string): AsyncGenerator<string> {
  for await (const piece of kept.pieces()) yield fillMarks(piece, url);
}
