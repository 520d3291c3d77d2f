import { sha256 } from '../../../../clients/typescript/src/index.js';
import { Problem } from '../../../core/problem';
import { seek, unanswered } from '../../../core/reach';
import { Refusal } from '../../../core/refusal';
import { endSending, send } from '../../../core/sending';
import type { Entrance, Sending, Sent } from '../../../core/sending';
import type { Access } from '../access';
import { createFolder } from '../actions';
import { saveCustom } from '../annotations';
import { root } from '../tree/tree';
import type { FolderTree } from '../tree/tree';
import type { Upload } from './dropped';

/** What one session needs to send files. */
export interface Sender {
  readonly access: Access;
  readonly folders: Folders;
}

export type Watch = Pick<Sending, 'onAttempt' | 'onSent'>;

/** What is sent of a file. */
export type SentFile = Pick<Upload, 'file' | 'key' | 'hash' | 'attempts'>;

/** Attempts in a row that bring nothing, before core/reach.ts takes over. */
const mostInVain = 4;

/** Avoids sending files that are certainly not images; browsers know no type for some formats. */
export const mayBeImage = ({ type }: File): boolean => type === '' || type.startsWith('image/');

/** Stores a file, however often its connection breaks. @throws Problem; the reason of the signal. */
export async function store(
  upload: Upload,
  { access, folders }: Sender,
  watch: Watch,
  signal: AbortSignal,
): Promise<void> {
  if (!mayBeImage(upload.file)) throw new Problem('unsupported_image', upload.file.name, 400);
  const sent = await sentOf(upload, await fieldsOf(upload, folders));
  const image = await sendTo(access, sent, watch, signal);
  const { key, value } = upload.details ?? { key: '', value: '' };
  // Whoever sends the file again finds the image, and this is stored once.
  if (key !== '') await saveCustom(access, image, { key, value }, { once: `${sent.key}-custom` });
}

/** Stores a file as the next version of an image. @throws Problem; the reason of the signal. */
export async function storeVersion(
  image_id: string,
  version: SentFile,
  access: Access,
  watch: Watch,
  signal: AbortSignal,
): Promise<void> {
  // A token that is refused ends the session, or is replaced, before anything is sent.
  const params = { path: { user_id: access.userId } };
  await access.call((client) => client.GET('/api/v1/users/{user_id}', { params }));
  const sent = await sentOf(version, { image_id });
  await sendTo(access, sent, watch, signal).catch(async (cause: unknown) => {
    if (signal.aborted) await endSending(await entranceOf(access), sent);
    throw cause;
  });
}

/**
 * Ends what has been begun of an upload that the reader has given up. @returns whether it was stored all the
 * same.
 */
export async function giveUp(upload: Upload, { access, folders }: Sender): Promise<boolean> {
  if (upload.attempts === 0) return false;
  const sent = await sentOf(upload, await fieldsOf(upload, folders));
  return endSending(await entranceOf(access), sent);
}

async function sendTo(
  access: Access,
  sent: Sent,
  watch: Watch,
  signal: AbortSignal,
): Promise<string> {
  const sending = { ...watch, signal, inVain: mostInVain };
  return send(await entranceOf(access), sent, sending).catch((cause: unknown) => {
    throw cause instanceof Refusal ? problemIn(cause) : cause;
  });
}

async function entranceOf(access: Access): Promise<Entrance> {
  const { token } = await access.session();
  const headers = { Authorization: `User ${token}` };
  return { at: `/api/v1/users/${access.userId}/uploads`, headers };
}

/** Browsers hash only on secure pages; elsewhere the server recognizes repeats by the key. */
const hashOf = async ({ file, hash }: SentFile): Promise<string | undefined> =>
  isSecureContext ? (hash ?? (await sha256(file))) : undefined;

const sentOf = async (sent: SentFile, target: Sent['fields']): Promise<Sent> => ({
  file: sent.file,
  key: sent.key,
  fields: { filename: sent.file.name, ...target, image_hash: await hashOf(sent) },
  isBegun: sent.attempts > 0,
});

/** Where it goes to, and where it comes from. */
async function fieldsOf(upload: Upload, folders: Folders): Promise<Sent['fields']> {
  const { into, path, camera, spot, details } = upload;
  const folder = await folders.at(into, path);
  return {
    folder_id: folder === root ? undefined : folder,
    upload_type: camera && 'camera',
    latitude: spot && String(spot.latitude),
    longitude: spot && String(spot.longitude),
    accuracy_m: spot && String(spot.accuracy),
    address_road: details?.address || undefined,
    message: details?.message || undefined,
  };
}

function problemIn({ status, code, message, field }: Refusal): Problem {
  if (status === 0) return unanswered();
  const problem = new Problem(code, message, status, field);
  if (problem.isSilence) seek();
  return problem;
}

/** Creates the folders that files were in, each once. */
export class Folders {
  readonly #made = new Map<string, Promise<string>>();

  constructor(
    private readonly access: Access,
    private readonly tree: FolderTree,
  ) {}

  /** @returns the id of the folder at a path below another. @throws Problem. */
  async at(base: string, path: readonly string[]): Promise<string> {
    let id = base;
    for (const title of path) id = await this.#child(id, title);
    return id;
  }

  #child(parent: string, title: string): Promise<string> {
    const name = `${parent}/${title}`;
    const known = this.#made.get(name) ?? this.#make(parent, title);
    this.#made.set(name, known);
    // The next caller tries again.
    known.catch(() => this.#made.delete(name));
    return known;
  }

  async #make(parent: string, title: string): Promise<string> {
    try {
      return (await createFolder(this.access, parent, title)).id;
    } catch (problem) {
      if (!(problem instanceof Problem && problem.code === 'folder_exists')) throw problem;
      const there = await this.tree.childNamed(parent, title);
      if (!there) throw problem;
      return there.id;
    }
  }
}
