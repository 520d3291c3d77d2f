import { accounts } from './checks/accounts.js';
import { allStatistics } from './checks/all-statistics.js';
import { archives } from './checks/archives.js';
import { batches } from './checks/batches.js';
import { bodies } from './checks/bodies.js';
import { cameraData } from './checks/camera-data.js';
import { changes } from './checks/changes.js';
import { check } from './checks/check.js';
import { coverage } from './checks/coverage.js';
import { custody } from './checks/custody.js';
import { customs } from './checks/customs.js';
import { downloads } from './checks/download.js';
import { errors } from './checks/errors.js';
import { filedata } from './checks/filedata.js';
import { folderChanges } from './checks/folder-changes.js';
import { folderContents } from './checks/folder-contents.js';
import { folderTrash } from './checks/folder-trash.js';
import { folders } from './checks/folders.js';
import { groupRadius } from './checks/group-radius.js';
import { groups } from './checks/group.js';
import { hostileValues } from './checks/hostile-values.js';
import { holds } from './checks/holds.js';
import { identity } from './checks/identity.js';
import { imageExports } from './checks/image-exports.js';
import { installation } from './checks/installation.js';
import { oneImage } from './checks/image.js';
import { journey } from './checks/journey.js';
import { ledgers } from './checks/ledgers.js';
import { links } from './checks/links.js';
import { list } from './checks/list.js';
import { map } from './checks/map.js';
import { mapClusters } from './checks/map-clusters.js';
import { mapTiles } from './checks/map-tiles.js';
import { memos } from './checks/memos.js';
import { realPhotographs } from './checks/photographs.js';
import { narrowTokens } from './checks/narrow-tokens.js';
import { operating } from './checks/operating.js';
import { platformMapTiles } from './checks/platform-map-tiles.js';
import { platforms } from './checks/platforms.js';
import { renditions } from './checks/renditions.js';
import { dates, search } from './checks/search.js';
import { retry } from './checks/retry.js';
import { sessions } from './checks/sessions.js';
import { share } from './checks/share.js';
import { signedUrls } from './checks/signed-urls.js';
import { statistics } from './checks/statistics.js';
import { tenancy } from './checks/tenancy.js';
import { tokens } from './checks/tokens.js';
import { updateMoves } from './checks/update-moves.js';
import { update } from './checks/update.js';
import { webhooks } from './checks/webhooks.js';
import { uploadFields } from './checks/upload-fields.js';
import { uploadFormats } from './checks/upload-formats.js';
import { uploads } from './checks/uploads.js';
import { uploadSets } from './checks/upload-sets.js';
import { upload } from './checks/upload.js';
import { users } from './checks/users.js';
import type { Route } from './document.js';
import type { Area } from './harness.js';

/** All checks for a server with these routes, in running order. */
export const areasFor = (routes: readonly Route[]): readonly Area[] => [
  errors,
  bodies,
  hostileValues,
  tokens,
  narrowTokens,
  identity,
  sessions,
  platforms,
  users,
  accounts,
  folders,
  folderChanges,
  folderTrash,
  folderContents,
  upload,
  uploadFormats,
  realPhotographs,
  uploadFields,
  oneImage,
  renditions,
  filedata,
  list,
  archives,
  ledgers,
  batches,
  search,
  dates,
  downloads,
  map,
  mapTiles,
  mapClusters,
  platformMapTiles,
  imageExports,
  groups,
  groupRadius,
  share,
  check,
  retry,
  cameraData,
  uploadSets,
  uploads,
  links,
  holds,
  custody,
  update,
  updateMoves,
  memos,
  customs,
  statistics,
  allStatistics,
  changes,
  webhooks,
  operating,
  installation,
  signedUrls,
  journey,
  tenancy(routes),
  coverage(routes),
];
