import { AnnotationTotalEntity, CustomEntity, MemoEntity } from './annotations/entity.js';
import { AuditActEntity } from './audit/entity.js';
import { RefreshTokenEntity, SigningKeyEntity } from './auth/entity.js';
import { ChangeEntity, FeedClockEntity, FeedExpiryEntity } from './changes/entity.js';
import { ConsoleCodeEntity } from './console/entity.js';
import { InstanceEntity } from './database/entity.js';
import { FolderEntity } from './folders/entity.js';
import { IdempotencyKeyEntity } from './idempotency/entity.js';
import { ImageEntity, ImageVersionEntity } from './images/entity.js';
import { MapCellEntity, PlaceEntity } from './images/group/entity.js';
import { ImageRangeEntity } from './images/list/entity.js';
import { ImageTextEntity } from './images/list/search-entity.js';
import { FolderTotalEntity, ImageTotalEntity } from './images/totals/entity.js';
import { PlatformErasureEntity } from './deletion/entity.js';
import { CursorEntity } from './paging/entity.js';
import {
  ContentRoundEntity,
  VerificationEntity,
  VerificationFindingEntity,
} from './integrity/entity.js';
import { PlatformEntity } from './platforms/entity.js';
import { PlatformLimitsEntity } from './quota/entity.js';
import { ObjectReclaimEntity } from './reclaim/entity.js';
import { DailyStatsEntity, RollUpEntity, UsageEventEntity } from './statistics/entity.js';
import { UploadSetEntity, UploadSetFileEntity } from './upload-sets/entity.js';
import { UserEntity } from './users/entity.js';
import { WebhookDeliveryEntity, WebhookEntity, WebhookLaneEntity } from './webhooks/entity.js';

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
