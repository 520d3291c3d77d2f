import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import { toForm } from './form.js';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

export type ImgstoreClient = Client<paths>;

/** An image as answers carry it. */
export type Image = components['schemas']['Image'];
/** The body of every refusal; `error.code` is a stable word. */
export type Failure = components['schemas']['Error'];

export interface ImgstoreOptions {
  /** Where the server is, such as `https://images.example`. */
  readonly baseUrl: string;
  /** Whose token it is: the scheme word of the Authorization header. */
  readonly scheme: 'Admin' | 'Platform' | 'User';
  /** An access token. */
  readonly token: string;
}

/**
 * A client whose paths, parameters, bodies and answers are typed. Bodies are sent as multipart
 * forms, so that files and fields travel alike: give a `Blob` for a file.
 *
 * `{ data, error }` of an answer: `data.result` on success, else `error.error.code`.
 */
export const createImgstoreClient = ({ baseUrl, scheme, token }: ImgstoreOptions): ImgstoreClient =>
  createClient<paths>({
    baseUrl,
    headers: { Authorization: `${scheme} ${token}` },
    bodySerializer: (body) => toForm(body ?? {}),
  });
