import type { LinkRecord } from '../src/library/links/schemas.js';
import type { PicturePage, VisitedLinkRecord } from '../src/library/links/visitor-schemas.js';
import type { Answer, Call, Client } from './client.js';
import { done } from './expect.js';
import { filePart } from './pictures.js';
import type { Member } from './world.js';

/** A user who makes links. */
export class Linker {
  readonly path: string;

  constructor(
    readonly client: Client,
    readonly user: Pick<Member, 'id' | 'token'>,
  ) {
    this.path = `/api/v1/users/${user.id}/links`;
  }

  call<R = LinkRecord>(method: string, path = '', call: Call = {}): Promise<Answer<R>> {
    const as = ['User', this.user.token] as const;
    return this.client.request<R>(method, `${this.path}${path}`, { as, ...call });
  }

  tryCreate(json: object, headers: Record<string, string> = {}): Promise<Answer<LinkRecord>> {
    return this.call('POST', '', { json, headers });
  }

  /** A new link, and the path of its page. */
  async create(json: object): Promise<LinkRecord & { readonly at: string }> {
    const link = done(await this.tryCreate(json));
    return { ...link, at: new URL(link.url ?? '').pathname };
  }

  update = async (id: string, json: object): Promise<LinkRecord> =>
    done(await this.call('PUT', `/${id}`, { json }));

  read = async (id: string): Promise<LinkRecord> => done(await this.call('GET', `/${id}`));

  end = async (id: string): Promise<LinkRecord> => done(await this.call('DELETE', `/${id}`));
}

/** Somebody who has the path of a link's page. */
export class Visitor {
  /** The cookie from the password. */
  #cookie = '';

  constructor(
    readonly client: Client,
    readonly at: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  call<R = unknown>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    return this.client.request<R>(method, `${this.at}${path}`, this.#asVisitor(call));
  }

  raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return this.client.raw(method, `${this.at}${path}`, this.#asVisitor(call));
  }

  /** Status of the page. */
  async page(): Promise<number> {
    const answer = await this.raw('GET', '');
    await answer.arrayBuffer();
    return answer.status;
  }

  link = (): Promise<Answer<VisitedLinkRecord>> => this.call('GET', '/link');

  images = (query: Record<string, string | number> = {}): Promise<Answer<PicturePage>> =>
    this.call('GET', '/images', { query });

  send = (picture: Buffer): Promise<Answer<{ id: string }>> =>
    this.call('POST', '/images', { form: { image_data: filePart(picture) } });

  /** Enters a password, and keeps the cookie. */
  async enter(password: string): Promise<Answer<VisitedLinkRecord>> {
    const answer = await this.call<VisitedLinkRecord>('POST', '/password', { json: { password } });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) this.#cookie = cookie.split(';')[0] ?? '';
    return answer;
  }

  #asVisitor(call: Call): Call {
    const headers: Record<string, string> = { ...this.headers, ...call.headers };
    if (this.#cookie !== '') headers.cookie ??= this.#cookie;
    return { ...call, headers };
  }
}
