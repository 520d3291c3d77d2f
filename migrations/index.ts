import { Foundation0000000000001 } from './chain/0001-foundation.js';
import { Accounting0000000000002 } from './chain/0002-accounting.js';
import { Folders0000000000003 } from './chain/0003-folder-indexes.js';
import { Search0000000000004 } from './chain/0004-search.js';
import { RollUp0000000000006 } from './chain/0006-roll-up.js';
import { Places0000000000008 } from './chain/0008-places.js';
import { ImageRanges0000000000009 } from './chain/0009-image-ranges.js';
import { Whereabouts0000000000011 } from './chain/0011-whereabouts.js';
import { AnnotationTotals0000000000012 } from './chain/0012-annotation-totals.js';
import { Incomplete0000000000013 } from './chain/0013-incomplete.js';
import { KeptTotals0000000000014 } from './chain/0014-kept-totals.js';
import { KeptPlaces0000000000015 } from './chain/0015-places.js';
import { MapReads0000000000016 } from './chain/0016-map-reads.js';
import { SearchTexts0000000000017 } from './chain/0017-search-texts.js';
import { SmallChanges0000000000018 } from './chain/0018-small-changes.js';
import { RadiusReads0000000000019 } from './chain/0019-radius-reads.js';
import { Changes0000000000020 } from './chain/0020-changes.js';
import { Retries0000000000021 } from './chain/0021-retries.js';
import { UploadSets0000000000022 } from './chain/0022-upload-sets.js';
import { Webhooks0000000000023 } from './chain/0023-webhooks.js';
import { Tenants0000000000024 } from './chain/0024-tenants.js';
import { OnePass0000000000025 } from './chain/0025-one-pass.js';
import { Verification0000000000026 } from './chain/0026-verification.js';
import { Checksums0000000000028 } from './chain/0028-checksums.js';
import { MapTiles0000000000029 } from './chain/0029-map-tiles.js';
import { ConsoleCodes0000000000032 } from './chain/0032-console-codes.js';
import { CheaperMaps0000000000033 } from './chain/0033-cheaper-maps.js';
import { QuotaOfText0000000000034 } from './chain/0034-text.js';
import { EndedLinks0000000000035 } from './chain/0035-ended-links.js';
import { Successors0000000000036 } from './chain/0036-successors.js';
import { CameraData0000000000037 } from './chain/0037-camera-data.js';
import { Taken0000000000038 } from './chain/0038-taken.js';
import { FullPictures0000000000039 } from './chain/0039-full-pictures.js';
import { Links0000000000040 } from './chain/0040-links.js';
import { ResumableUploads0000000000041 } from './chain/0041-resumable-uploads.js';
import { PlatformCells0000000000042 } from './chain/0042-platform-cells.js';

/**
 * Every migration, in order: what upgrades the database of an older version. A landed one never changes;
 * a change of mind is a new one. A new database is made from baseline/, which is changed to match.
 */
export const migrations = [
  Foundation0000000000001,
  Accounting0000000000002,
  Folders0000000000003,
  Search0000000000004,
  RollUp0000000000006,
  Places0000000000008,
  ImageRanges0000000000009,
  Whereabouts0000000000011,
  AnnotationTotals0000000000012,
  Incomplete0000000000013,
  KeptTotals0000000000014,
  KeptPlaces0000000000015,
  MapReads0000000000016,
  SearchTexts0000000000017,
  SmallChanges0000000000018,
  RadiusReads0000000000019,
  Changes0000000000020,
  Retries0000000000021,
  UploadSets0000000000022,
  Webhooks0000000000023,
  Tenants0000000000024,
  OnePass0000000000025,
  Verification0000000000026,
  Checksums0000000000028,
  MapTiles0000000000029,
  ConsoleCodes0000000000032,
  CheaperMaps0000000000033,
  QuotaOfText0000000000034,
  EndedLinks0000000000035,
  Successors0000000000036,
  CameraData0000000000037,
  Taken0000000000038,
  FullPictures0000000000039,
  Links0000000000040,
  ResumableUploads0000000000041,
  PlatformCells0000000000042,
];
