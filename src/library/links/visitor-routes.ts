import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Claims } from '../../http/auth/claims.js';
import { operation, uploadOperation, type Operation } from '../../http/operation.js';
import { archive } from '../images/archive/routes.js';
import type { Usage } from '../quota/usage.js';
import type { LinkArchives } from './archives.js';
import type { LinkKind } from './entity.js';
import type { LinkPictures } from './pictures.js';
import type { LinkRequests } from './requests.js';
import {
  archiveQuery,
  arrivedPicture,
  arrivedPictures,
  arrivedQuery,
  passwordFields,
  picturePage,
  picturesQuery,
  senderFields,
  visitedLink,
  type VisitedLinkRecord,
} from './visitor-schemas.js';
import type { Visit, Visitors } from './visitors.js';

interface VisitorRouteParts {
  readonly visitors: Visitors;
  readonly pictures: LinkPictures;
  readonly archives: LinkArchives;
  readonly requests: LinkRequests;
  readonly usage: Pick<Usage, 'assertQuota'>;
}

const ofLink = { scheme: 'Link', ext: true, allow: [] } as const;
const inside = { ...ofLink, errors: ['password_required'] } as const;

const told = ({ link, isAdmitted }: Visit): VisitedLinkRecord => ({
  needs_password: !isAdmitted,
  link: isAdmitted
    ? {
        kind: link.kind as LinkKind,
        title: link.title,
        message: link.message,
        allow_download: link.allowDownload,
        show_place: link.showPlace,
      }
    : null,
});

/** The operations of people who have a link, whose pages need no others. */
export function visitorOperations(parts: VisitorRouteParts): Operation[] {
  const { visitors, pictures, archives, requests, usage } = parts;
  const downloadable = (caller: Claims): Visit['link'] => {
    const link = visitors.linkOf(caller, 'view');
    if (link.allowDownload) return link;
    throw new ServiceError('not_found', { message: 'The link allows no downloads.' });
  };
  return [
    operation(
      {
        ...ofLink,
        id: 'visitLink',
        method: 'get',
        path: '/s/:secret/link',
        summary: 'See what a link is for',
        beforePassword: true,
        result: visitedLink,
      },
      async ({ caller }) => told(visitors.visitOf(caller)),
    ),
    operation(
      {
        ...inside,
        id: 'enterPassword',
        method: 'post',
        path: '/s/:secret/password',
        summary: 'Enter the password of a link; the response sets a cookie for it',
        beforePassword: true,
        keyless: true,
        inMaintenance: true,
        bodyAlone: true,
        body: passwordFields,
        result: visitedLink,
      },
      async ({ caller, input, setHeader }) => {
        const visit = visitors.visitOf(caller);
        setHeader('Set-Cookie', await visitors.admit(visit, input.password));
        return told({ ...visit, isAdmitted: true });
      },
    ),
    operation(
      {
        ...inside,
        id: 'listLinkImages',
        method: 'get',
        path: '/s/:secret/images',
        summary:
          'List the images that a link shows: of a folder newest first, others as it names them',
        query: picturesQuery,
        result: picturePage,
        errors: ['password_required', 'invalid_cursor'],
      },
      async ({ caller, input }) =>
        pictures.page(visitors.linkOf(caller, 'view'), input.cursor, input.limit),
    ),
    operation(
      {
        ...inside,
        id: 'createLinkArchive',
        method: 'post',
        path: '/s/:secret/archive',
        summary: 'Get the address of a ZIP of all that a link shows, if it allows downloads',
        keyless: true,
        inMaintenance: true,
        result: archive,
        errors: ['password_required', 'too_many_images'],
      },
      async ({ caller, ...by }) =>
        archives.make(downloadable(caller), visitors.visitOf(caller).page, by),
    ),
    operation(
      {
        ...inside,
        id: 'getLinkArchive',
        method: 'get',
        path: '/s/:secret/archive',
        summary: 'Download the ZIP of such an address',
        query: archiveQuery,
        bare: true,
        result: z.string().meta({ format: 'binary' }),
        stream: 'application/zip',
        errors: ['password_required', 'forbidden', 'too_many_images'],
      },
      async ({ caller, input, ...by }) =>
        archives.download(downloadable(caller), input.address, by),
    ),
    uploadOperation(
      {
        ...inside,
        id: 'sendLinkImage',
        method: 'post',
        path: '/s/:secret/images',
        summary: 'Send an image through a link that asks for some; the same file arrives once',
        keyless: true,
        body: senderFields,
        upload: {
          part: 'image_data',
          before: async ({ caller }) =>
            usage.assertQuota(visitors.linkOf(caller, 'request').userId),
        },
        result: arrivedPicture,
        errors: ['password_required', ...(['folder_not_found', 'folder_in_trash'] as const)],
      },
      async ({ caller, input: { sender } }, file) => {
        const terms = { sender: sender ?? undefined };
        return { id: await requests.receive(visitors.linkOf(caller, 'request'), file, terms) };
      },
    ),
    operation(
      {
        ...inside,
        id: 'listArrivedImages',
        method: 'get',
        path: '/s/:secret/arrived',
        summary: 'Ask which of the images that one has sent through a link have arrived',
        query: arrivedQuery,
        result: arrivedPictures,
      },
      async ({ caller, input }) => ({
        arrived: await requests.arrived(visitors.linkOf(caller, 'request'), input.ids),
      }),
    ),
  ];
}
