import { AnnotationTotalEntity, CustomEntity, MemoEntity } from '../library/annotations/entity.js';
import { AuditActEntity } from '../http/audit/acts.js';
import { RefreshTokenEntity, SigningKeyEntity, ConsoleCodeEntity } from '../http/auth/entity.js';
import { ChangeEntity, FeedClockEntity, FeedExpiryEntity } from '../feed/changes/entity.js';
import { InstanceEntity } from '../database/instance.js';
import { FolderEntity } from '../library/folders/entity.js';
import { IdempotencyKeyEntity } from '../http/idempotency/entity.js';
import { ImageEntity, ImageVersionEntity } from '../library/images/entity.js';
import { MapCellEntity, PlaceEntity } from '../library/images/group/entity.js';
import {
  ImageRangeEntity,
  ImageTextEntity,
  FolderTotalEntity,
  ImageTotalEntity,
} from '../library/images/list/entity.js';
import { PlatformErasureEntity } from '../library/deletion/entity.js';
import { CursorEntity } from '../http/paging/bookmarks.js';
import {
  ContentRoundEntity,
  VerificationEntity,
  VerificationFindingEntity,
} from './verify/entity.js';
import { PlatformEntity } from '../library/platforms/entity.js';
import { PlatformLimitsEntity } from '../library/quota/entity.js';
import { ObjectReclaimEntity } from '../library/reclaim/entity.js';
import { DailyStatsEntity, RollUpEntity, UsageEventEntity } from '../library/statistics/entity.js';
import { UploadSetEntity, UploadSetFileEntity } from '../library/upload-sets/entity.js';
import { UserEntity } from '../library/users/entity.js';
import {
  WebhookDeliveryEntity,
  WebhookEntity,
  WebhookLaneEntity,
} from '../feed/webhooks/entity.js';

/** Every table that the migrations create, as checked by test/database/entities.test.ts. */
export const entities = [
  InstanceEntity,
  SigningKeyEntity,
  PlatformEntity,
  UserEntity,
  RefreshTokenEntity,
  ConsoleCodeEntity,
  FolderEntity,
  ImageEntity,
  ImageVersionEntity,
  ImageRangeEntity,
  ImageTextEntity,
  ImageTotalEntity,
  FolderTotalEntity,
  PlaceEntity,
  MapCellEntity,
  MemoEntity,
  CustomEntity,
  AnnotationTotalEntity,
  UsageEventEntity,
  DailyStatsEntity,
  RollUpEntity,
  ObjectReclaimEntity,
  CursorEntity,
  ChangeEntity,
  FeedClockEntity,
  FeedExpiryEntity,
  IdempotencyKeyEntity,
  UploadSetEntity,
  UploadSetFileEntity,
  WebhookEntity,
  WebhookLaneEntity,
  WebhookDeliveryEntity,
  VerificationEntity,
  ContentRoundEntity,
  VerificationFindingEntity,
  PlatformLimitsEntity,
  AuditActEntity,
  PlatformErasureEntity,
];
