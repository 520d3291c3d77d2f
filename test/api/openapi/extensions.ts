import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entriesOf, operationsOf, type Json, type OpenApi } from './document.js';

const cameraNames = ['original_name', 'direction', 'altitude_m', 'accuracy_m', 'camera'];

/** Names of the marked properties in these schemas. */
const markedIn = (schema: unknown): string[] =>
  [...entriesOf(schema)].flatMap(([at, value]) =>
    (value as Json | null)?.['x-ext'] === true ? [at.split('/').at(-1) ?? ''] : [],
  );

/** The lists, with the records of their pages. */
const pages: Readonly<Record<string, readonly string[]>> = {
  folderContents: ['FolderContents'],
  groupImages: ['ImageGroup'],
  listAccounts: ['AccountList'],
  listLinks: ['LinkList'],
  listUsers: ['UserPage'],
  listHolds: ['HoldList'],
  listUploadSets: ['UploadSetList'],
  groupImagesPaged: ['PagedImageGroup'],
  listImages: ['ImageList', 'ImageDays'],
  listPlatformImages: ['PlatformImages'],
  listPlatformUserImages: ['PlatformUserImages'],
};

const folderCounts = [
  'cover',
  'first_taken_at',
  'image_count',
  'image_count_below',
  'last_taken_at',
];

export function testExtensions(document: OpenApi): void {
  const operations = operationsOf(document);

  const conditions = [
    'radius',
    'located',
    'camera',
    'upload_set_id',
    'custom_key',
    'custom_value',
    'folder_id',
    'with_subfolders',
  ];
  const ofMaps = ['camera', 'upload_set_id', 'custom_key', 'custom_value', 'with_subfolders'];

  describe('x-ext', () => {
    const form = 'application/x-www-form-urlencoded';

    test('marks exactly what the interface does not have', () => {
      const marked = operations.flatMap(({ operation }) => {
        const { operationId: id, parameters, requestBody, responses } = operation;
        const body = requestBody?.content[form]?.schema.properties;
        const content = responses[200]?.content as Record<string, { schema: Json }> | undefined;
        return [
          ...('x-ext' in operation ? [id] : []),
          ...parameters
            .filter((parameter) => 'x-ext' in parameter && parameter.in !== 'header')
            .map(({ name }) => `${id}?${name}`),
          ...markedIn(body).map((name) => `${id}(${name})`),
          ...markedIn(content?.['application/json']).map((name) => `${id} ${name}`),
        ];
      });
      const components = Object.entries(document.components.schemas).flatMap(
        ([component, schema]) => markedIn(schema).map((name) => `${component}.${name}`),
      );
      assert.deepEqual(
        [...marked, ...components].sort(),
        [
          'ChangedFolder.in_progress',
          'DeletedFolders.in_progress',
          'DeletedUser.in_progress',
          ...folderCounts.map((name) => `FolderTree.${name}`),
          'listFolders?parent_id',
          'listFolders?with_counts',
          'Filedata.full_url',
          'Filedata.is_incomplete',
          'Filedata.original_name',
          ...cameraNames.map((name) => `Image.${name}`),
          ...cameraNames.map((name) => `updateImage(${name})`),
          ...cameraNames.map((name) => `changeImages(${name})`),
          'Image.distance_m',
          'Image.full_url',
          'Image.hashdata',
          'Image.is_incomplete',
          'Image.taken_at',
          'Image.thumb_url',
          'Image.thumbhash',
          'Image.upload_set_id',
          'checkImages',
          'describeUploads',
          'describeUpload',
          'createUpload',
          'getUploadOffset',
          'getUpload',
          'appendToUpload',
          'deleteUpload',
          'createLink',
          'listLinks',
          'getLink',
          'updateLink',
          'deleteLink',
          'visitLink',
          'enterPassword',
          'listLinkImages',
          'createLinkArchive',
          'getLinkArchive',
          'sendLinkImage',
          'listArrivedImages',
          'describeLinkUploads',
          'createLinkUpload',
          'describeLinkUpload',
          'getLinkUploadOffset',
          'appendToLinkUpload',
          'deleteLinkUpload',
          'createUploadSet',
          'deleteUploadSet',
          'getUploadSet',
          'listUploadSets',
          'exchangeConsoleCode',
          'signOut',
          'renewConsoleSession',
          'createSignIn',
          'listSessions',
          'endSessions',
          'endSession',
          'getPlatformLimits',
          'getStatus',
          'listAccounts',
          'createPlatform(platform)',
          'getAllStatistics',
          'groupImages?direction',
          'groupImages?direction_within',
          'groupImagesPaged?direction',
          'groupImagesPaged?direction_within',
          'getImage?with_history',
          'exportImages',
          'imageChoices',
          'imageAddresses',
          'imageDays',
          'changeImages',
          'createArchive',
          'getArchive',
          'createLedger',
          'getLedger',
          ...['search', 'last_index', 'page_size'].map((name) => `listUsers?${name}`),
          ...['listImages', 'exportImages', 'imageDays', 'createArchive', 'createLedger'].flatMap(
            (id) => conditions.map((name) => `${id}?${name}`),
          ),
          'getMapTile',
          'getMapTileJson',
          'getMapClusters',
          ...['getMapTile', 'getMapTileJson', 'getMapClusters'].flatMap((id) =>
            ofMaps.map((name) => `${id}?${name}`),
          ),
          'getPlatformMapTile',
          'getPlatformMapTileJson',
          'getPlatformMapClusters',
          'getSnapshot',
          'listChanges',
          ...['image_count', 'last_upload_at', 'used_storage_mb'].map(
            (name) => `ListedPlatform.${name}`,
          ),
          ...['Platform', 'PlatformInfo', 'ListedPlatform'].flatMap((record) => [
            `${record}.suspended_at`,
            `${record}.user_count`,
          ]),
          ...['UserInfo', 'UpdatedUser'].flatMap((record) => [
            `${record}.used_storage_mb`,
            `${record}.trash_image_count`,
          ]),
          ...['ImageList', 'ImageDays'].map((record) => `${record}.total_is_exact`),
          ...Object.entries(pages).flatMap(([id, records]) => [
            `${id}?cursor`,
            ...records.map((record) => `${record}.next_cursor`),
          ]),
          'listPlatformChanges',
          ...['shareImages', 'updateImage'].flatMap((id) =>
            ['with_memo', 'with_custom', 'with_history'].map((name) => `${id}?${name}`),
          ),
          'refreshToken',
          'deleteFromTrash',
          'emptyTrash',
          'listDeliveries',
          'readAudit',
          'readPlatformAudit',
          'resumePlatform',
          'resumeUser',
          'suspendPlatform',
          'suspendUser',
          ...['', 'Platform'].flatMap((owner) =>
            ['create', 'get', 'delete']
              .map((act) => `${act}${owner}Token`)
              .concat(`list${owner}Tokens`),
          ),
          'createWebhook',
          'listWebhooks',
          'getWebhook',
          'updateWebhook',
          'deleteWebhook',
          'rotateWebhook',
          'pauseWebhook',
          'resumeWebhook',
          'setIdentity',
          'getIdentity',
          'deleteIdentity',
          'getProof',
          'getLogCheckpoint',
          'getLogKey',
          'getLogTile',
          'createHold',
          'listHolds',
          'getHold',
          'releaseHold',
        ].sort(),
      );
    });

    test('marks JSON bodies, since the interface has only forms', () => {
      for (const { operation } of operations) {
        const { 'application/json': json, ...forms } = operation.requestBody?.content ?? {};
        assert.ok(!json || 'x-ext' in json, operation.operationId);
        for (const body of Object.values(forms)) assert.ok(!('x-ext' in body));
      }
    });
  });
}
