import type { Random } from '../../../testkit/random.js';
import type { DocumentedOperation, Field } from '../harness/document.js';
import type { OwnedData } from '../harness/owned-data.js';
import type { Caller } from '../../../testkit/client.js';
import { authorization, type WireRequest } from '../../../testkit/wire-request.js';
import {
  encodings,
  escaped,
  multipartEncoded,
  urlencoded,
  type Encoded,
  type Pair,
} from './encodings.js';
import { hostileName, hostileValue } from './hostile.js';
import { validValue } from './valid.js';

/** The data that requests are composed from. */
export interface Material {
  readonly estate: OwnedData;
  readonly admin: Caller;
  /** Ids of other users' records. */
  readonly strangers: Readonly<Record<string, string>>;
  readonly picture: Uint8Array;
}

/** Required, or one of several names of which one is required. */
const isNeeded = ({ name, required }: Field): boolean => required || name === 'image_ids';

/** What a link that asks for images is for; other links are to look at. */
const ofRequest = new Set(['sendLinkImage', 'listArrivedImages']);

/** Which of an owner's ids an operation wants for a placeholder: some kinds of records share one. */
export const idFor = ({ id, path }: DocumentedOperation, name: string): string =>
  name === 'secret' && ofRequest.has(id)
    ? 'request_secret'
    : name === 'token_id' && path.startsWith('/api/v1/platforms/')
      ? 'platform_token_id'
      : name;

/** Fields that must agree with the uploaded file or with earlier answers. */
const dependent = new Set(['image_hash', 'upload_set_id', 'after']);

export interface Draft {
  path: Record<string, string>;
  query: Pair[];
  body: Pair[];
}

/**
 * A request that is valid according to the document.
 * @param extras whether to send some of the optional fields.
 */
export function validDraft(
  operation: DocumentedOperation,
  { estate: owned }: Material,
  random: Random,
  extras: boolean,
): Draft {
  const { path, query, body } = operation;
  const ids: Record<string, string> = {
    ...owned.ids,
    refresh_token: owned.user.record.refresh_token,
  };
  const filled = (fields: readonly Field[]): Pair[] =>
    fields
      .filter(({ schema }) => schema.format !== 'binary')
      .filter(({ name }) => !dependent.has(name))
      .filter((field) => isNeeded(field) || (extras && random.below(4) === 0))
      .map((field) => [field.name, validValue(field, ids, random)] as const);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return {
    path: Object.fromEntries(names.map((name) => [name, ids[idFor(operation, name)] ?? 'none'])),
    query: filled(query),
    body: filled(body),
  };
}

/** Makes one hostile change to a draft. */
export function spoil(
  draft: Draft,
  operation: DocumentedOperation,
  { strangers }: Material,
  random: Random,
): void {
  const where = random.of([draft.query, draft.body]);
  const fields = where === draft.query ? operation.query : operation.body;
  const field = random.of(fields)?.name ?? hostileName(random);
  const [pathName] = random.shuffled(Object.keys(draft.path));
  switch (random.below(14)) {
    case 0: // a parameter of the path
      if (pathName) draft.path[pathName] = escaped(hostileValue(random)).slice(0, 4_000);
      return;
    case 1: // what belongs to somebody else
      if (pathName) draft.path[pathName] = strangers[pathName] ?? '';
      return;
    case 2: // the same field again
      where.push([field, hostileValue(random)], [field, hostileValue(random)]);
      return;
    case 3: // a field that nobody asked for
      where.push([hostileName(random), hostileValue(random)]);
      return;
    case 4: // as lists and objects are written by other servers' habits
      where.push([`${field}${random.of(['[]', '[a]', '[__proto__]', '.a', '[0]'])}`, 'a']);
      return;
    default: {
      const at = where.findIndex(([name]) => name === field);
      where.splice(at < 0 ? where.length : at, 1, [field, hostileValue(random)]);
    }
  }
}

/** The draft as a request of its authorized caller, in one of the encodings. */
export function composed(
  operation: DocumentedOperation,
  draft: Draft,
  material: Material,
  random: Random,
): WireRequest {
  const { scheme, method } = operation;
  const { estate: owned, admin, picture } = material;
  const callers: Record<string, Caller> = {
    Admin: admin,
    Platform: ['Platform', owned.platform.token],
    User: ['User', owned.user.token],
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.path[name] ?? '');
  const query = urlencoded(draft.query);
  const encoded = operation.body.length > 0 || draft.body.length > 0 ? encode() : undefined;

  function encode(): Encoded {
    if (operation.upload)
      return multipartEncoded(draft.body, { name: 'image_data', bytes: picture });
    return encodings[random.of(['multipart', 'form', 'json'])](draft.body);
  }

  const caller = scheme && callers[scheme];
  return {
    method,
    path: `${path}${query && `?${query}`}`,
    headers: [
      ...(caller ? [authorization(caller)] : []),
      ...(encoded?.type ? [['Content-Type', encoded.type] as const] : []),
    ],
    body: encoded?.body,
  };
}
