import { ServiceError } from '../../base/errors/catalogue.js';
import type { Operation } from '../../http/operation.js';
import { protocolOperations } from './protocol-routes.js';
import type { ResumableUploads, UploadOwner } from './resumable-uploads.js';
import type { VisitSecrets } from '../links/visit-secrets.js';
import type { Visitors } from '../links/visitors.js';

interface VisitorUploadParts {
  readonly visitors: Visitors;
  readonly secrets: VisitSecrets;
  readonly resumables: ResumableUploads;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

const linkOf = ({ link }: UploadOwner): string => link?.id ?? '';

/**
 * Uploads that resume, for visitors of a link that asks for images: into its folder, with no field but
 * the hash and the sender, each file once for a link. What stands for an id does so for that link alone, so that
 * uploads of other links, and of the owner, are unknown.
 */
export const visitorUploadOperations = ({
  visitors,
  secrets,
  ...parts
}: VisitorUploadParts): Operation[] =>
  protocolOperations({
    ...parts,
    path: '/s/:secret/uploads',
    scheme: 'Link',
    names: {
      describeAll: 'describeLinkUploads',
      describe: 'describeLinkUpload',
      create: 'createLinkUpload',
      state: 'getLinkUploadOffset',
      append: 'appendToLinkUpload',
      end: 'deleteLinkUpload',
    },
    metadata: {
      description: '`filename`, `image_hash` if it is known, and `sender`; each value in base64',
      example: 'filename cGhvdG8uanBn',
    },
    errors: ['password_required'],
    ownerOf: (caller) => {
      const { link } = visitors.visitOf(caller);
      if (link.kind !== 'request') {
        throw new ServiceError('not_found', { message: 'The link is not for this.' });
      }
      const { platformId, userId } = link;
      return { platformId, userId, link };
    },
    shown: (owner, id) => secrets.hideId(linkOf(owner), id),
    read: (owner, shown) => secrets.readId(linkOf(owner), shown) ?? '',
  });
