import type { WallClock } from '../../base/time.js';
import type { Claims } from '../../http/auth/claims.js';
import { operation, type Operation } from '../../http/operation.js';
import { linkChanges, linkList, linkPage, linkRecord, newLink } from './schemas.js';
import type { LinkOwner, Links } from './links.js';

const links = '/api/v1/users/:user_id/links' as const;
const link = `${links}/:link_id` as const;

interface LinkRouteParts {
  readonly links: Links;
  readonly clock: WallClock;
}

/** The user of the path, whom the service checks against the platform of the caller. */
const ownerOf = (userId: string, { scope, platformId = '' }: Claims): LinkOwner => ({
  userId,
  platformId,
  actor: scope,
});

const common = { scheme: ['User', 'Platform'], ext: true } as const;
const ofOne = { ...common, path: link, errors: ['user_not_found', 'link_not_found'] } as const;

export const linkOperations = (parts: LinkRouteParts): Operation[] => [
  operation(
    {
      ...common,
      id: 'createLink',
      allow: ['links'],
      allowFields: { kind: { view: ['links', 'read'], request: ['links', 'upload'] } },
      method: 'post',
      path: links,
      summary: 'Open images to people without an account, or ask them for some; shows the URL once',
      body: newLink(parts.clock),
      result: linkRecord,
      errors: [
        ...(['user_not_found', 'folder_not_found', 'folder_in_trash'] as const),
        ...(['image_not_found', 'too_many_links'] as const),
      ],
    },
    ({ path, caller, input, resolveUrl }) =>
      parts.links.create(ownerOf(path.user_id, caller), input, resolveUrl),
  ),
  operation(
    {
      ...common,
      id: 'listLinks',
      allow: ['links'],
      method: 'get',
      path: links,
      summary: "List the user's links, newest first",
      query: linkPage,
      result: linkList,
      errors: ['user_not_found', 'invalid_cursor'],
    },
    ({ path, caller, input }) => parts.links.list(ownerOf(path.user_id, caller), input),
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
    ({ path, caller }) => parts.links.get(ownerOf(path.user_id, caller), path.link_id),
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
    ({ path, caller, input }) =>
      parts.links.update(ownerOf(path.user_id, caller), path.link_id, input),
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
    ({ path, caller }) => parts.links.remove(ownerOf(path.user_id, caller), path.link_id),
  ),
];
