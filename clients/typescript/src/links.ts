import { asJson } from './connection.js';
import type { Connection } from './connection.js';
import type { Link } from './records.js';
import type { operations } from './schema.js';
import { secureCrypto } from './sha256.js';

type Body<Operation extends 'createLink' | 'updateLink'> = NonNullable<
  operations[Operation]['requestBody']
>['content']['application/json'];

/** What a link is for and opens: `kind`, and a `folder_id` or `image_ids`. */
export type NewLink = Body<'createLink'>;
/** What changes of a link; `state` pauses it, or opens it again. */
export type LinkChanges = Body<'updateLink'>;

interface Read {
  readonly signal?: AbortSignal;
}

interface Creation extends Read {
  /** Idempotency key, the same in each repeat, which so returns the same `url`; default: a new UUID. */
  readonly key?: string;
}

/** A user's links. Requests are retried; they throw as uploads do. */
export interface Links {
  create(user_id: string, link: NewLink, options?: Creation): Promise<Link>;
  /** All links, newest first. */
  list(user_id: string, options?: Read): Promise<Link[]>;
  get(user_id: string, link_id: string, options?: Read): Promise<Link>;
  update(user_id: string, link_id: string, changes: LinkChanges, options?: Read): Promise<Link>;
  /** Ends a link for good. */
  end(user_id: string, link_id: string, options?: Read): Promise<Link>;
}

/** As many links as a user can have. */
const page_size = 1000;

const links = '/api/v1/users/{user_id}/links';
const link = `${links}/{link_id}` as const;

export const linksOf = (connection: Connection): Links => {
  const { client } = connection;
  return {
    create: async (user_id, body, { key = secureCrypto().randomUUID(), signal } = {}) => {
      const params = { path: { user_id }, header: { 'Idempotency-Key': key } };
      const how = { params, body, bodySerializer: asJson };
      return connection.result({
        send: (until) => client.POST(links, { ...how, signal: until }),
        key,
        signal,
      });
    },
    list: async (user_id, { signal } = {}) => {
      const params = { path: { user_id }, query: { page_size } };
      const send = (until: AbortSignal) => client.GET(links, { params, signal: until });
      return (await connection.result({ send, signal })).items;
    },
    get: (user_id, link_id, { signal } = {}) => {
      const params = { path: { user_id, link_id } };
      return connection.result({
        send: (until) => client.GET(link, { params, signal: until }),
        signal,
      });
    },
    update: (user_id, link_id, body, { signal } = {}) => {
      const how = { params: { path: { user_id, link_id } }, body, bodySerializer: asJson };
      return connection.result({
        send: (until) => client.PUT(link, { ...how, signal: until }),
        signal,
      });
    },
    end: async (user_id, link_id, { signal } = {}) => {
      // With a key, a repeat gets the answer that was lost, and not that there is no such link.
      const header = { 'Idempotency-Key': secureCrypto().randomUUID() };
      const params = { path: { user_id, link_id }, header };
      return connection.result({
        send: (until) => client.DELETE(link, { params, signal: until }),
        signal,
      });
    },
  };
};
