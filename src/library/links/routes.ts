import type { WallClock } from '../../base/time.js';
import { isAllowed } from '../../http/auth/allow.js';
import type { Claims } from '../../http/auth/claims.js';
import { operation, type Operation, type ResolveUrl } from '../../http/operation.js';
import { indexQuery } from '../../http/paging/pages.js';
import { linkChanges, linkList, linkRecord, newLink } from './schemas.js';
import type { LinkOwner, Links } from './links.js';

const links = '/api/v1/users/:user_id/links' as const;
const link = `${links}/:link_id` as const;

interface LinkRouteParts {
  readonly links: Links;
  readonly clock: WallClock;
}

/** What a link of each kind gives whoever has its URL. */
const neededFor = { view: ['links', 'read'], request: ['links', 'upload'] } as const;

interface LinkRequest {
  readonly path: { readonly user_id: string };
  readonly caller: Claims;
  readonly resolveUrl: ResolveUrl;
}

/** The user of the path, whom the service checks against the platform of the caller. */
const ownerOf = ({ path, caller, resolveUrl }: LinkRequest): LinkOwner => ({
  userId: path.user_id,
  platformId: caller.platformId ?? '',
  actor: caller.scope,
  urlOf: (page, kind) => (isAllowed(caller, neededFor[kind]) ? resolveUrl(page) : null),
});

const common = { scheme: ['User', 'Platform'], ext: true } as const;
const ofOne = { ...common, path: link, errors: ['user_not_found', 'link_not_found'] } as const;

export const linkOperations = (parts: LinkRouteParts): Operation[] => [
  operation(
    {
      ...common,
      id: 'createLink',
      allow: ['links'],
      allowFields: { kind: neededFor },
      method: 'post',
      path: links,
      summary: 'Open images to people without an account, or ask them for some',
      body: newLink(parts.clock),
      result: linkRecord,
      errors: [
        ...(['user_not_found', 'folder_not_found', 'folder_in_trash'] as const),
        ...(['image_not_found', 'too_many_links'] as const),
      ],
    },
    (request) => parts.links.create(ownerOf(request), request.input),
  ),
  operation(
    {
      ...common,
      id: 'listLinks',
      allow: ['links'],
      method: 'get',
      path: links,
      summary: "List the user's links, newest first",
      query: indexQuery,
      result: linkList,
      errors: ['user_not_found', 'invalid_cursor'],
    },
    (request) => parts.links.list(ownerOf(request), request.input),
  ),
  operation(
    {
      ...ofOne,
      id: 'getLink',
      allow: ['links'],
      method: 'get',
      summary: 'Get one link',
      result: linkRecord,
    },
    (request) => parts.links.get(ownerOf(request), request.path.link_id),
  ),
  operation(
    {
      ...ofOne,
      id: 'updateLink',
      allow: ['links'],
      allowFields: {
        allow_download: { True: ['links', 'read'] },
        show_place: { True: ['links', 'read'] },
      },
      method: 'put',
      summary: 'Change a link, pause it, or open it again',
      body: linkChanges(parts.clock),
      result: linkRecord,
    },
    (request) => parts.links.update(ownerOf(request), request.path.link_id, request.input),
  ),
  operation(
    {
      ...ofOne,
      id: 'deleteLink',
      allow: ['links'],
      method: 'delete',
      summary: 'End a link for good; images stay, also those that arrived through it',
      result: linkRecord,
    },
    (request) => parts.links.remove(ownerOf(request), request.path.link_id),
  ),
];
