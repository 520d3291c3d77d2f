import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { filePart, jpeg, type PictureOptions } from './pictures.js';
import type { Answer, Call, Caller, Client } from './client.js';
import { done } from './expect.js';
import { sha256 } from './fetch.js';
import type {
  Contents,
  CreatedPlatform,
  CreatedUser,
  DeletedFolders,
  Folder,
  Image,
  Page,
} from './records.js';

/** What has an id, such as a record. */
interface Identified {
  readonly id: string;
}

type Fields = Record<string, string>;

/** A platform with its token. */
export class Tenant {
  readonly id: string;
  readonly token: string;

  constructor(
    readonly client: Client,
    readonly record: CreatedPlatform,
  ) {
    this.id = record.id;
    this.token = record.access_token;
  }

  /** @param path below the platform's own, such as `/users`. */
  call<R = unknown>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    const fullPath = `/api/v1/platforms/${this.id}${path}`;
    return this.client.request<R>(method, fullPath, { as: ['Platform', this.token], ...call });
  }

  statistics<R = unknown>(path: string, query: Call['query'] = {}): Promise<Answer<R>> {
    const fullPath = `/api/v2/platforms/${this.id}/stats${path}`;
    return this.client.request<R>('GET', fullPath, { as: ['Platform', this.token], query });
  }

  async user(name = unique('user')): Promise<Member> {
    const form = { platform_user_id: name };
    return new Member(this, done(await this.call<CreatedUser>('POST', '/users', { form })));
  }
}

/** A user with its token. */
export class Member {
  readonly id: string;
  readonly token: string;
  readonly platformId: string;
  /** The path of its images. */
  readonly images: string;

  constructor(
    readonly tenant: Tenant,
    readonly record: CreatedUser,
  ) {
    this.id = record.user_id;
    this.platformId = tenant.id;
    this.images = `/api/v1/users/${this.id}/images`;
    this.token = record.access_token;
  }

  /** @param path below the user's own, such as `/images`. */
  call<R = unknown>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    const fullPath = `/api/v1/users/${this.id}${path}`;
    return this.tenant.client.request<R>(method, fullPath, { as: ['User', this.token], ...call });
  }

  get = <R = unknown>(path: string, query: Call['query'] = {}) =>
    this.call<R>('GET', path, { query });
  post = <R = unknown>(path: string, form: Call['form'] = {}) =>
    this.call<R>('POST', path, { form });
  put = <R = unknown>(path: string, form: Call['form'] = {}, query: Call['query'] = {}) =>
    this.call<R>('PUT', path, { form, query });
  delete = <R = unknown>(path: string) => this.call<R>('DELETE', path);

  async folder(title: string, parent?: Identified): Promise<Folder> {
    const form = { title, ...(parent && { parent_id: parent.id }) };
    return done(await this.post<Folder>('/folders', form));
  }

  /** Uploads the given bytes, or a small unique image. */
  async upload(fields: Record<string, string> = {}, bytes?: Uint8Array): Promise<Image> {
    return done(await this.tryUpload(fields, bytes));
  }

  async tryUpload(
    fields: Record<string, string> = {},
    bytes?: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Answer<Image>> {
    const image_data = filePart(bytes ?? (await picture()));
    const form = { ...fields, image_data };
    return this.call<Image>('POST', '/images', { form, ...(signal && { signal }) });
  }

  /** Verifies that the original of an image is exactly these bytes. */
  async expectBytes(id: string, bytes: Uint8Array): Promise<void> {
    const answer = await fetch((await this.image(id)).org_path_url);
    assert.equal(answer.status, 200);
    assert.equal(sha256(new Uint8Array(await answer.arrayBuffer())), sha256(bytes));
  }

  /** The number of its images. */
  async count(): Promise<number> {
    return done(await this.get<{ count: number }>('/images/count')).count;
  }

  /** Adds an edited version. */
  async edit(image: Image, bytes?: Uint8Array): Promise<Image> {
    const image_data = filePart(bytes ?? (await picture()));
    return done(await this.post<Image>(`/images/${image.id}/filedata`, { image_data }));
  }

  async image(id: string, query: Call['query'] = {}): Promise<Image> {
    return done(await this.get<Image>(`/images/${id}`, query));
  }

  async list(query: Call['query'] = {}): Promise<Page<Image>> {
    return done(await this.get<Page<Image>>('/images', query));
  }

  async contents(folder: string, query: Call['query'] = {}): Promise<Contents> {
    return done(await this.get<Contents>(`/folders/${folder}`, query));
  }

  async trash(image: Image): Promise<Image> {
    return done(await this.put<Image>(`/images/${image.id}`, { delete: 'True' }));
  }

  async changeFolder(id: string, form: Fields, query: Fields = {}): Promise<Folder> {
    return done(await this.put<Folder>(`/folders/${id}`, form, query));
  }

  trashFolder({ id }: Identified): Promise<Folder> {
    return this.changeFolder(id, {}, { delete: 'true' });
  }

  restoreFolder({ id }: Identified): Promise<Folder> {
    return this.changeFolder(id, {}, { delete: 'false' });
  }

  async deleteFolder(id: string): Promise<DeletedFolders> {
    return done(await this.delete<DeletedFolders>(`/folders/${id}`));
  }

  /** The tree of all folders, or of those that the query narrows it to. */
  async folders(query: Call['query'] = {}): Promise<Folder[]> {
    return done(await this.get<Folder[]>('/folders', query));
  }

  /** The folder as it appears in the tree of all folders. */
  async findFolder(id: string): Promise<Folder | undefined> {
    return all(await this.folders()).find((folder) => folder.id === id);
  }

  /** Sorted titles of all folders, each with its path, and a `*` if it is in the trash. */
  async outline(): Promise<string[]> {
    const lines = (folders: readonly Folder[] = [], path = ''): string[] =>
      folders.flatMap((folder) => {
        const own = `${path}/${folder.title}`;
        return [own + (folder.delete_at === null ? '' : '*'), ...lines(folder.child_folders, own)];
      });
    return lines(await this.folders()).sort();
  }
}

/** Every folder of a forest. */
export const all = (folders: readonly Folder[] = []): Folder[] =>
  folders.flatMap((folder) => [folder, ...all(folder.child_folders)]);

/** An administrator, and who is created through the API. */
export class World<C extends Client = Client> {
  #tenant: Promise<Tenant> | undefined;

  constructor(
    readonly client: C,
    readonly adminToken: string,
  ) {}

  get as(): Caller {
    return ['Admin', this.adminToken];
  }

  admin<R = unknown>(method: string, call: Call = {}): Promise<Answer<R>> {
    return this.client.request<R>(method, '/api/v1/platforms/', { as: this.as, ...call });
  }

  async platform(name = unique('contract')): Promise<Tenant> {
    const made = await this.admin<CreatedPlatform>('POST', { form: { platform: name } });
    return new Tenant(this.client, done(made));
  }

  /** A new user; all share one platform. */
  async user(): Promise<Member> {
    return (await (this.#tenant ??= this.platform())).user();
  }
}

/** A unique name. */
export const unique = (what: string): string => `${what} ${randomBytes(6).toString('hex')}`;

let pictures = 0;

/** A small image that differs from all others of this run. */
export const picture = (options: PictureOptions = {}): Promise<Buffer> =>
  jpeg({ width: 64, height: 48, seed: (pictures += 1), ...options });
