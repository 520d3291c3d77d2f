import { entityOf, timestamps } from '../../database/columns.js';

/** A link for people without an account (docs/adr/0021). */
export const linkColumns = {
  id: { type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  kind: { type: 'text' },
  /** What it opens: a folder, which may have been deleted since, … */
  folderId: { name: 'folder_id', type: 'uuid', nullable: true },
  /** … or images, in this order. */
  imageIds: { name: 'image_ids', type: 'uuid', array: true, nullable: true },
  /** SHA-256 of the secret part of its URL. */
  secretHash: { name: 'secret_hash', type: 'bytea' },
  title: { type: 'text', nullable: true },
  message: { type: 'text', nullable: true },
  /** As `hashPassword` makes it. */
  passwordHash: { name: 'password_hash', type: 'bytea', nullable: true },
  allowDownload: { name: 'allow_download', type: 'boolean' },
  showPlace: { name: 'show_place', type: 'boolean' },
  isPaused: { name: 'is_paused', type: 'boolean', default: false },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
  visits: { type: 'bigint', default: 0 },
  lastVisitAt: { name: 'last_visit_at', type: 'timestamptz', nullable: true },
  ...timestamps,
  /** Kept for a while without its content, to tell that it ended from that it never was. */
  deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
  /** That part encrypted, so that its owner can copy the URL again; null for links of before. */
  sealedSecret: { name: 'sealed_secret', type: 'bytea', nullable: true },
} as const;

export const linkKinds = ['view', 'request'] as const;
export type LinkKind = (typeof linkKinds)[number];

export const LinkEntity = entityOf('links', linkColumns);

const arrivalColumns = {
  linkId: { name: 'link_id', type: 'uuid', primary: true },
  /** SHA-256 of the file. */
  hash: { type: 'bytea', primary: true },
  /** The image that it became, which may have been deleted since. */
  imageId: { name: 'image_id', type: 'uuid' },
} as const;

/** A file that has arrived through a link. */
export const LinkArrivalEntity = entityOf('link_arrivals', arrivalColumns);
