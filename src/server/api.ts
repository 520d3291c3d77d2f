import type { DataSource } from 'typeorm';
import { customOperations, memoOperations } from '../library/images/annotation-routes.js';
import { annotationLimits, Annotations } from '../library/annotations/annotations.js';
import { ManyAnnotations } from '../library/annotations/many.js';
import { changeOperations } from '../feed/changes/routes.js';
import { Changes, Snapshots } from '../feed/changes/changes.js';
import { ChangeWatch } from '../feed/changes/watch.js';
import type { Config } from '../base/config/options.js';
import { identityOperations } from '../http/auth/identity-routes.js';
import { narrowTokenOperations } from '../http/auth/narrow-routes.js';
import { refreshOperation, sessionOperations } from '../http/auth/session-routes.js';
import { JoiningDatabase } from '../database/joint-transaction.js';
import type { ReplicatedReads } from '../database/replicated-reads.js';
import { holdOperations } from '../library/holds/routes.js';
import { FolderReads } from '../library/folders/contents.js';
import { folderOperations } from '../library/folders/routes.js';
import { FolderChanges } from '../library/folders/folder-changes.js';
import type { IdempotencyKeys } from '../http/idempotency/keys.js';
import type { KeyLocks } from '../http/idempotency/key-locks.js';
import type { UploadStaging } from '../http/upload.js';
import type { Scratch } from '../http/scratch.js';
import type { Operation } from '../http/operation.js';
import { ArchiveAddresses, type ArchiveUrls } from '../library/images/archive/addresses.js';
import { Archives } from '../library/images/archive/archive.js';
import { archiveOperations } from '../library/images/archive/routes.js';
import { Ledgers } from '../library/images/ledger/ledgers.js';
import { LedgerPictures } from '../library/images/ledger/pictures.js';
import { ledgerOperations } from '../library/images/ledger/routes.js';
import { PresenceCheck } from '../library/images/check.js';
import { DayCounts } from '../library/images/days.js';
import { ImageExports } from '../library/images/export.js';
import { imageGroupOperations } from '../library/images/group/routes.js';
import type { FullPictures } from '../library/images/full/full-pictures.js';
import { ImageGroups } from '../library/images/group/image-groups.js';
import { ImageLists } from '../library/images/list/image-lists.js';
import { type TileUrls, Maps } from '../library/images/map/maps.js';
import { mapOperations } from '../library/images/map/routes.js';
import { ImageRecords } from '../library/images/record.js';
import { PlatformImages } from '../library/images/platform-images.js';
import { imageOperations, platformImageOperations } from '../library/images/routes.js';
import { Images } from '../library/images/images.js';
import { BatchChanges } from '../library/images/update/batch.js';
import { Sharing, ImageUpdates } from '../library/images/update/image-updates.js';
import { imageUpdateOperations } from '../library/images/update/routes.js';
import { uploadOperations } from '../library/images/upload/routes.js';
import { Uploads } from '../library/images/upload/uploads.js';
import { auditOperations } from '../ops/audit/routes.js';
import { Audit } from '../ops/audit/audit.js';
import { installationOperations } from '../ops/installation/routes.js';
import type { Installation } from '../ops/installation/installation.js';
import { LinkArchives } from '../library/links/archives.js';
import type { LinkPictures } from '../library/links/pictures.js';
import { LinkRequests } from '../library/links/requests.js';
import { linkOperations } from '../library/links/routes.js';
import { visitorOperations } from '../library/links/visitor-routes.js';
import type { Visitors } from '../library/links/visitors.js';
import type { VisitSecrets } from '../library/links/visit-secrets.js';
import type { Imaging } from '../imaging/port.js';
import { platformOperations } from '../library/platforms/routes.js';
import { statisticsOperations } from '../library/statistics/routes.js';
import { UsageStatistics } from '../library/statistics/usage-statistics.js';
import type { ObjectStore } from '../store/port.js';
import type { Tenants } from '../ops/tenants.js';
import type { Logger } from '../base/telemetry/logger.js';
import { resumableOperations, visitorUploadOperations } from '../library/resumable/routes.js';
import { ResumableUploads } from '../library/resumable/resumable-uploads.js';
import { UploadTurns } from '../library/resumable/turns.js';
import { uploadSetOperations } from '../library/upload-sets/routes.js';
import { UploadSets } from '../library/upload-sets/upload-sets.js';
import { Accounts } from '../library/users/accounts.js';
import { Trash } from '../library/tree/trash.js';
import { trashOperations } from '../library/tree/routes.js';
import { BulkChanges } from '../library/tree/bulk-changes.js';
import { userOperations } from '../library/users/routes.js';
import { Usage } from '../library/quota/usage.js';
import { custodyOperations } from '../feed/custody/routes.js';
import { Refusals } from '../library/images/upload/refusals.js';
import { webhookOperations } from '../feed/webhooks/routes.js';

/** What the operations depend on; `ServiceParts` in app.ts explains each part. */
interface ApiParts {
  /** The database as opened; operations join the transaction of their request. */
  readonly source: DataSource;
  readonly reads: ReplicatedReads;
  readonly tenants: Tenants;
  readonly store: ObjectStore;
  readonly imaging: Imaging;
  readonly config: Config;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly scratch: Scratch;
  readonly tileUrls: TileUrls;
  readonly archiveUrls: ArchiveUrls;
  readonly visits: {
    readonly visitors: Visitors;
    readonly pictures: LinkPictures;
    readonly secrets: VisitSecrets;
    readonly full: FullPictures;
  };
  readonly installation: Installation;
  readonly keys: IdempotencyKeys;
  readonly keyLocks: KeyLocks;
  readonly staging: UploadStaging;
  /** Whether all objects are in the local store now. */
  readonly isLocal: () => boolean;
}

/** Wires every operation of the API, in the order of the OpenAPI document. */
export function wireApi(parts: ApiParts): {
  operations: Operation[];
  images: Images;
  resumables: ResumableUploads;
} {
  const { source, reads, store, imaging, config, logger, stopping, scratch } = parts;
  const { tokens, consoleSignIn, platforms, users, webhooks, clock, pages } = parts.tenants;
  const db = new JoiningDatabase(source);
  const usage = new Usage(db, config['limits.max_images']);
  const annotations = new Annotations(db, clock, annotationLimits(config), usage.platformLimits);
  const records = new ImageRecords(store, clock);
  const images = new Images(db, records, usage);
  const uploadSets = new UploadSets({
    db,
    reads,
    usage,
    pages,
    clock,
    limits: {
      sets: config['upload_sets.max_per_user'],
      files: config['upload_sets.max_files_per_user'],
    },
  });
  const manyAnnotations = new ManyAnnotations(annotationLimits(config), usage.platformLimits);
  const refusals = new Refusals(source, logger);
  const uploads = new Uploads({ db, imaging, store, usage, annotations, clock, refusals });
  const { secrets, full } = parts.visits;
  const requests = new LinkRequests({ db, secrets, uploads });
  const resumables = new ResumableUploads({
    db,
    store,
    uploads,
    requests,
    usage,
    clock,
    keys: parts.keys,
    staging: parts.staging,
    isLocal: parts.isLocal,
    turns: new UploadTurns(parts.keyLocks),
    maxOpen: config['uploads.max_open_per_user'],
    hours: {
      open: config['uploads.resumable_hours'],
      over: config['idempotency.retention_hours'],
    },
  });
  const bulk = new BulkChanges(db, stopping);
  const folderChanges = new FolderChanges({
    db,
    usage,
    clock,
    bulk,
    maxFolders: config['limits.max_folders'],
  });
  const archives = new Archives({ db: source, store, clock, scratch, records });
  const lists = new ImageLists(reads, images, pages);
  const { incoming, disk } = parts.staging;
  const pictures = new LedgerPictures({ store, imaging, incoming, disk });
  const ledgers = new Ledgers({ db: source, pictures, records, scratch, clock });
  const addresses = new ArchiveAddresses({
    db,
    urls: parts.archiveUrls,
    tokens,
    usage,
    clock,
  });
  const operations = [
    ...platformOperations(platforms, usage),
    ...userOperations({
      users,
      accounts: new Accounts({ usage, reads, pages, clock }),
      remove: (userId) => bulk.deleteUser(userId),
      ceilingMb: config['limits.max_user_storage_mb'],
    }),
    ...folderOperations(new FolderReads(reads, images, pages, clock), folderChanges),
    ...uploadOperations({ images, uploads, usage, clock }),
    ...resumableOperations({ resumables, images, clock, maxBytes: parts.staging.maxBytes }),
    ...imageOperations({
      images,
      lists: new ImageLists(reads, images, pages),
      archives,
      days: new DayCounts(reads, clock),
      exports: new ImageExports({ db: source, records, scratch }),
      presence: new PresenceCheck(reads),
      clock,
    }),
    ...archiveOperations({ archives, addresses, lists, clock }),
    ...ledgerOperations({ ledgers, addresses, lists, clock }),
    ...trashOperations(new Trash({ db, usage })),
    ...uploadSetOperations(uploadSets),
    ...linkOperations({ links: parts.tenants.links, clock }),
    ...visitorOperations({
      ...parts.visits,
      archives: new LinkArchives({ db, archives, secrets, full, clock }),
      requests,
      usage,
    }),
    ...visitorUploadOperations({ ...parts.visits, resumables, maxBytes: parts.staging.maxBytes }),
    ...imageUpdateOperations({
      images,
      updates: new ImageUpdates(db),
      sharing: new Sharing(db, usage),
      batches: new BatchChanges({ db, usage, annotations: manyAnnotations }),
    }),
    ...imageGroupOperations(new ImageGroups(reads, images, pages)),
    ...mapOperations({
      maps: new Maps({ db: reads, source, clock, pointsZoom: config['map.points_zoom'] }),
      tileUrls: parts.tileUrls,
      clock,
    }),
    ...platformImageOperations(new PlatformImages(reads, images, usage, pages)),
    ...memoOperations({ annotations, images }),
    ...customOperations({ annotations, images }),
    ...changeOperations({
      changes: new Changes(source, clock),
      watch: new ChangeWatch(source, tokens, logger, stopping),
      snapshots: new Snapshots({ db: source, clock, records, scratch }),
    }),
    ...webhookOperations(webhooks),
    ...holdOperations(parts.tenants.holds, clock),
    ...custodyOperations(parts.tenants.proofs),
    ...narrowTokenOperations(parts.tenants.narrowTokens),
    ...identityOperations(parts.tenants.identities),
    ...statisticsOperations(new UsageStatistics(reads, clock.zoneName)),
    refreshOperation(tokens),
    ...sessionOperations({ signIn: consoleSignIn, sessions: parts.tenants.sessions, clock }),
    ...installationOperations(parts.installation),
    ...auditOperations(new Audit(reads, clock), clock),
  ];
  return { operations, images, resumables };
}
