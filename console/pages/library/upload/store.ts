import {
  ImgstoreError,
  sha256,
  UnansweredError,
} from '../../../../clients/typescript/src/index.js';
import { clientOf } from '../../../core/api';
import { Backoff } from '../../../core/backoff';
import { Problem, problemOf } from '../../../core/problem';
import { seek, unanswered } from '../../../core/reach';
import { endResumable, resumableFrom, SendingFailed, sendResumable } from '../../../core/resumable';
import type { ResumableFile } from '../../../core/resumable';
import type { Access } from '../access';
import { root } from '../tree/tree';
import type { Folders } from './folders';
import { watchSending } from './sending';
import type { Sending } from './sending';
import type { Upload } from './upload';

/** What one session needs to send files. */
export interface Sender {
  readonly access: Access;
  readonly folders: Folders;
}

/** Attempts in a row that bring nothing, before core/reach.ts takes over. */
const mostInVain = 4;

/** Avoids sending files that are certainly not images; browsers know no type for some formats. */
export const mayBeImage = ({ type }: File): boolean => type === '' || type.startsWith('image/');

/** Stores a file, however often its connection breaks. @throws Problem; the reason of the signal. */
export async function store(
  upload: Upload,
  { access, folders }: Sender,
  sending: Sending,
  until: AbortSignal,
): Promise<void> {
  const { file, key, hash } = upload;
  if (!mayBeImage(file)) throw new Problem('unsupported_image', file.name, 400);
  const fields = await fieldsOf(upload, folders);
  if (file.size >= resumableFrom) {
    return storeInParts(await resumable(upload, access, fields), sending, until);
  }
  const client = clientOf(await access.session());
  watchSending(client, sending);
  // Browsers hash only on secure pages; elsewhere the server recognizes repeats by the key.
  const known = isSecureContext ? hash && { hash } : { hash: null };
  const how = { key, fields, signal: until, ...known };
  await client.upload(access.userId, file, how).catch((cause: unknown) => {
    throw problemIn(cause);
  });
}

/** Where it goes to, and where it comes from. */
async function fieldsOf({ into, path, camera }: Upload, folders: Folders) {
  const folder = await folders.at(into, path);
  return {
    ...(folder !== root && { folder_id: folder }),
    ...(camera && { upload_type: 'camera' as const }),
  };
}

/** Stores a file as the next version of an image. @throws Problem; the reason of the signal. */
export async function storeVersion(
  image_id: string,
  version: Sent,
  access: Access,
  sending: Sending,
  until: AbortSignal,
): Promise<void> {
  const { file, key } = version;
  if (file.size >= resumableFrom) {
    // A token that is refused ends the session, or is replaced, before anything is sent.
    const params = { path: { user_id: access.userId } };
    await access.call((client) => client.GET('/api/v1/users/{user_id}', { params }));
    const sent = await resumable(version, access, { image_id });
    return storeInParts(sent, sending, until).catch(async (cause: unknown) => {
      if (until.aborted) await endResumable({ ...sent, onSent: () => undefined });
      throw cause;
    });
  }
  const params = {
    path: { user_id: access.userId, image_id },
    header: { 'Idempotency-Key': key },
  };
  await access.call((client) => {
    watchSending(client, sending);
    return client.POST('/api/v1/users/{user_id}/images/{image_id}/filedata', {
      params,
      body: { image_data: file },
      signal: until,
    });
  });
}

/** The same key for each attempt. */
export type Sent = Pick<Upload, 'file' | 'key' | 'hash'>;

type InParts = Omit<ResumableFile, 'onSent'>;

/** The file as it is sent in parts. */
async function resumable(
  { file, key, hash }: Sent,
  access: Access,
  target: InParts['fields'],
): Promise<InParts> {
  const { token } = await access.session();
  return {
    at: `/api/v1/users/${access.userId}/uploads`,
    file,
    key,
    fields: {
      filename: file.name,
      ...target,
      image_hash: isSecureContext ? (hash ?? (await sha256(file))) : undefined,
    },
    headers: { Authorization: `User ${token}` },
  };
}

async function storeInParts(
  sent: InParts,
  { onAttempt, onSent }: Sending,
  until: AbortSignal,
): Promise<void> {
  const backoff = new Backoff();
  let durable = 0;
  for (let inVain = 0; ;) {
    onAttempt();
    let brought = false;
    try {
      await sendResumable({
        ...sent,
        signal: until,
        onSent: (bytes, isDurable) => {
          if (isDurable && bytes > durable) {
            durable = bytes;
            brought = true;
            backoff.reset();
          }
          onSent(bytes / sent.file.size);
        },
      });
      return;
    } catch (cause) {
      if (!(cause instanceof SendingFailed)) throw cause;
      inVain = brought ? 1 : inVain + 1;
      if (!cause.passes || inVain >= mostInVain) throw problemWith(cause);
      await backoff.pause(cause.retryAfterMs, until);
    }
  }
}

/** Ends what has been begun of an upload that the reader has given up. */
export async function giveUp(upload: Upload, { access, folders }: Sender): Promise<void> {
  if (upload.attempts === 0 || upload.file.size < resumableFrom) return;
  const sent = await resumable(upload, access, await fieldsOf(upload, folders));
  await endResumable({ ...sent, onSent: () => undefined });
}

function problemIn(cause: unknown): unknown {
  if (cause instanceof UnansweredError) return unanswered();
  if (!(cause instanceof ImgstoreError)) return cause;
  return new Problem(cause.code, cause.message, cause.status, cause.field);
}

function problemWith({ status, text, passes }: SendingFailed): Problem {
  if (status === 0) return unanswered();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answered in place of the server.
  }
  const problem = problemOf(passes && status < 429 ? 503 : status, body);
  if (problem.isSilence) seek();
  return problem;
}
