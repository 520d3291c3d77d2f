import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Call } from '../../../testkit/client.js';
import type { TestService } from '../../../testkit/service.js';
import { operationsOf, type DescribedOperation, type Json, type OpenApi } from './document.js';
import { triedWorld, type TriedWorld } from './tried-world.js';

/** Parameters that are valid only together with others, or in one view. */
const companions: Record<string, readonly string[]> = {
  latitude: ['longitude', 'radius'],
  longitude: ['latitude', 'radius'],
  radius: ['latitude', 'longitude'],
  use_radius: ['latitude', 'longitude'],
  direction: ['use_radius', 'latitude', 'longitude'],
  direction_within: ['direction', 'use_radius', 'latitude', 'longitude'],
  days_or_date_range: ['days_range'],
  search_type: ['search'],
  custom_value: ['custom_key'],
  with_subfolders: ['folder_id'],
};

/** Parameters from an earlier answer. */
const answered = new Set(['cursor']);

/** Operations on links that ask for images; the others are on links to look at. */
const ofRequest = new Set([
  'sendLinkImage',
  'listArrivedImages',
  'createLinkUpload',
  'describeLinkUploads',
  'describeLinkUpload',
  'getLinkUploadOffset',
  'appendToLinkUpload',
  'deleteLinkUpload',
]);

interface Trial {
  readonly query: Json;
  readonly body: Json | undefined;
}

/** The defaults of Swagger UI, then all fields of the body, then each other parameter in turn. */
function* trialsOf({ parameters, requestBody }: DescribedOperation): Generator<Trial> {
  const queried = parameters.filter((one) => one.in === 'query');
  const exampleOf = (name: string): unknown => {
    const { example, examples } = queried.find((one) => one.name === name)?.schema ?? {};
    return example ?? (examples as unknown[] | undefined)?.[0];
  };
  const asked = (names: readonly string[]): Json =>
    Object.fromEntries(names.map((name) => [name, exampleOf(name)]));
  const required = queried.filter((one) => one.required).map(({ name }) => name);
  const [content] = Object.values(requestBody?.content ?? {});
  const bodies = Object.values(content?.examples ?? {}).map(({ value }) => value);
  yield { query: asked(required), body: bodies[0] };
  for (const body of bodies.slice(1)) yield { query: asked(required), body };
  for (const { name } of queried) {
    if (required.includes(name) || answered.has(name)) continue;
    const others = (companions[name] ?? []).filter((one) => queried.some((it) => it.name === one));
    const query = asked([...required, name, ...others]);
    yield { query, body: bodies[0] };
  }
}

/** The call that an example describes, with existing ids. */
function callOf({ query, body = {} }: Trial, { ids }: TriedWorld, operation: string): Call {
  const real = (name: string, value: unknown): string | Blob =>
    ids.get(name) ?? (typeof value === 'string' ? value : JSON.stringify(value));
  const filled = (fields: Json) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, real(name, value)]));
  // A link opens, a hold keeps, a batch changes one of several things, keys come in one of two ways: none is
  // required by itself.
  const opened =
    operation === 'changeImages'
      ? { image_ids: '' }
      : operation === 'setIdentity'
        ? { jwks_url: '' }
        : 'kind' in body || 'reason' in body
          ? { folder_id: '' }
          : {};
  const form = filled({ ...opened, ...body });
  return { query: filled(query) as Record<string, string>, form };
}

/** Examples of the headers that a request must have, and the type of its body if that is no form. */
function headersOf({ parameters, requestBody }: DescribedOperation): Record<string, string> {
  const required = parameters.filter((one) => one.in === 'header' && one.required);
  const examples = required.map(({ name, schema }) => [
    name,
    (schema.examples as string[] | undefined)?.[0] ?? '',
  ]);
  const [type = ''] = Object.keys(requestBody?.content ?? {});
  const isForm = type === '' || /form|json/.test(type);
  return { ...Object.fromEntries(examples), ...(!isForm && { 'content-type': type }) } as Record<
    string,
    string
  >;
}

const pathOf = (path: string, { ids }: TriedWorld, id: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const known = ofRequest.has(id) ? `request_${name}` : name;
    const trashed = id === 'deleteFromTrash' ? ids.get(`trashed_${name}`) : undefined;
    const narrow = /Platform.*Token$/.test(id) ? ids.get(`platform_${name}`) : undefined;
    return (trashed ?? (name === 'token_id' ? narrow : undefined) ?? ids.get(known)) as string;
  });

/** Operations after which other examples would not find their records; codes work once, too. */
const changing = ['put', 'delete', 'patch'];

/** Whose examples work once, or have an address that ends within minutes. */
const hurried = new Set(['exchangeConsoleCode', 'getLinkArchive']);

/** Sends every example of every operation in the document to the server. */
export function testTrials(document: OpenApi, service: TestService): void {
  describe('tried out with its examples', () => {
    const shared = triedWorld(service);
    for (const { path, method, operation } of operationsOf(document)) {
      test(`${method} ${path} answers as it should`, async () => {
        const [scheme] = operation.security.flatMap((one) => Object.keys(one));
        for (const trial of trialsOf(operation)) {
          const isOwn = changing.includes(method) || hurried.has(operation.operationId);
          const world = isOwn ? await triedWorld(service) : await shared;
          const token =
            operation.operationId === 'signOut'
              ? world.session.access_token
              : scheme && world.tokens[scheme as keyof TriedWorld['tokens']];
          const url = pathOf(path, world, operation.operationId);
          const answer = await service.client.raw(method.toUpperCase(), url, {
            ...callOf(trial, world, operation.operationId),
            headers: {
              ...headersOf(operation),
              ...(operation.operationId === 'renewConsoleSession' && {
                cookie: `imgstore_session=${world.session.refresh_token}`,
              }),
              ...(token && { authorization: `Bearer ${token}` }),
            },
          });
          const body = await answer.text();
          const said = `${answer.status} ${JSON.stringify(trial)}: ${body.slice(0, 300)}`;
          assert.ok([200, 201, 204].includes(answer.status), said);
          // A user has at most 20 of these addresses.
          const address = /\/(?:archive|ledger)\/([\w-]+)\?/.exec(body)?.[1];
          if (address) await service.db.query('DELETE FROM archives WHERE id = $1', [address]);
        }
      });
    }
  });
}
