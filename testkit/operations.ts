/**
 * Every operation of the interface: method, path template, and scheme word. For `steady` operations no
 * request is invalid (of archives and ledgers, only one for more than 10,000 images), so only foreign tokens can
 * be rejected. A valid request for a `terminal` operation
 * needs a code that only a command on the server prints. A `protocol` has statuses of its own.
 */
export const operations = {
  refreshToken: ['POST', '/api/v1/auth/refresh', 'none'],
  exchangeConsoleCode: ['POST', '/api/v1/auth/console', 'none'],
  signOut: ['DELETE', '/api/v1/auth/session', 'User'],
  renewConsoleSession: ['POST', '/api/v1/auth/session', 'none', 'steady'],
  createSignIn: ['POST', '/api/v1/users/{user_id}/sign-in', 'Platform'],
  listSessions: ['GET', '/api/v1/users/{user_id}/sessions', 'User', 'steady'],
  endSessions: ['DELETE', '/api/v1/users/{user_id}/sessions', 'User', 'steady'],
  endSession: ['DELETE', '/api/v1/users/{user_id}/sessions/{session_id}', 'User'],
  getStatus: ['GET', '/api/v1/status', 'Admin', 'steady'],
  createPlatform: ['POST', '/api/v1/platforms', 'Admin'],
  listPlatforms: ['GET', '/api/v1/platforms', 'Admin', 'steady'],
  getPlatform: ['GET', '/api/v1/platforms/{platform_id}', 'Platform', 'steady'],
  platformInfo: ['GET', '/api/v1/platforms/{platform_id}/info', 'Platform', 'steady'],
  suspendPlatform: ['POST', '/api/v1/platforms/{platform_id}/suspend', 'Admin'],
  resumePlatform: ['POST', '/api/v1/platforms/{platform_id}/resume', 'Admin'],
  platformLimits: ['GET', '/api/v1/platforms/{platform_id}/limits', 'Platform', 'steady'],
  listAccounts: ['GET', '/api/v1/platforms/{platform_id}/accounts', 'Platform'],
  platformImages: ['GET', '/api/v1/platforms/{platform_id}/images', 'Platform'],
  createUser: ['POST', '/api/v1/platforms/{platform_id}/users', 'Platform'],
  listUsers: ['GET', '/api/v1/platforms/{platform_id}/users', 'Platform', 'steady'],
  getPlatformUser: ['GET', '/api/v1/platforms/{platform_id}/users/{user_id}', 'Platform'],
  suspendUser: ['POST', '/api/v1/platforms/{platform_id}/users/{user_id}/suspend', 'Platform'],
  resumeUser: ['POST', '/api/v1/platforms/{platform_id}/users/{user_id}/resume', 'Platform'],
  platformUserInfo: ['GET', '/api/v1/platforms/{platform_id}/users/{user_id}/info', 'Platform'],
  platformUserImages: ['GET', '/api/v1/platforms/{platform_id}/users/{user_id}/images', 'Platform'],
  getUser: ['GET', '/api/v1/users/{user_id}', 'User', 'steady'],
  userInfo: ['GET', '/api/v1/users/{user_id}/info', 'User', 'steady'],
  updateUser: ['PUT', '/api/v1/users/{user_id}', 'User'],
  deleteUser: ['DELETE', '/api/v1/users/{user_id}', 'User', 'steady'],
  createFolder: ['POST', '/api/v1/users/{user_id}/folders', 'User'],
  listFolders: ['GET', '/api/v1/users/{user_id}/folders', 'User'],
  folderContents: ['GET', '/api/v1/users/{user_id}/folders/{folder_id}', 'User'],
  updateFolder: ['PUT', '/api/v1/users/{user_id}/folders/{folder_id}', 'User'],
  deleteFolder: ['DELETE', '/api/v1/users/{user_id}/folders/{folder_id}', 'User'],
  emptyTrash: ['DELETE', '/api/v1/users/{user_id}/trash', 'User', 'steady'],
  deleteFromTrash: ['DELETE', '/api/v1/users/{user_id}/trash/{image_id}', 'User'],
  createMemo: ['POST', '/api/v1/users/{user_id}/images/{image_id}/memos', 'User'],
  listMemos: ['GET', '/api/v1/users/{user_id}/images/{image_id}/memos', 'User'],
  updateMemo: ['PUT', '/api/v1/users/{user_id}/images/{image_id}/memos/{memo_id}', 'User'],
  deleteMemo: ['DELETE', '/api/v1/users/{user_id}/images/{image_id}/memos/{memo_id}', 'User'],
  createCustom: ['POST', '/api/v1/users/{user_id}/images/{image_id}/customs', 'User'],
  listCustoms: ['GET', '/api/v1/users/{user_id}/images/{image_id}/customs', 'User'],
  updateCustom: ['PUT', '/api/v1/users/{user_id}/images/{image_id}/customs/{custom_id}', 'User'],
  deleteCustom: ['DELETE', '/api/v1/users/{user_id}/images/{image_id}/customs/{custom_id}', 'User'],
  addFiledata: ['POST', '/api/v1/users/{user_id}/images/{image_id}/filedata', 'User'],
  dailyStatistics: ['GET', '/api/v2/platforms/{platform_id}/stats', 'Platform'],
  totalStatistics: ['GET', '/api/v2/platforms/{platform_id}/stats/total', 'Platform', 'steady'],
  checkImages: ['POST', '/api/v1/users/{user_id}/images/check', 'User'],
  describeUploads: ['OPTIONS', '/api/v1/users/{user_id}/uploads', 'none', 'protocol'],
  createUpload: ['POST', '/api/v1/users/{user_id}/uploads', 'User', 'protocol'],
  describeUpload: ['OPTIONS', '/api/v1/users/{user_id}/uploads/{upload_id}', 'none', 'protocol'],
  getUploadOffset: ['HEAD', '/api/v1/users/{user_id}/uploads/{upload_id}', 'User', 'protocol'],
  getUpload: ['GET', '/api/v1/users/{user_id}/uploads/{upload_id}', 'User', 'protocol'],
  appendToUpload: ['PATCH', '/api/v1/users/{user_id}/uploads/{upload_id}', 'User', 'protocol'],
  deleteUpload: ['DELETE', '/api/v1/users/{user_id}/uploads/{upload_id}', 'User', 'protocol'],
  createUploadSet: ['POST', '/api/v1/users/{user_id}/upload-sets', 'User'],
  listUploadSets: ['GET', '/api/v1/users/{user_id}/upload-sets', 'User'],
  getUploadSet: ['GET', '/api/v1/users/{user_id}/upload-sets/{upload_set_id}', 'User'],
  deleteUploadSet: ['DELETE', '/api/v1/users/{user_id}/upload-sets/{upload_set_id}', 'User'],
  createLink: ['POST', '/api/v1/users/{user_id}/links', 'User'],
  listLinks: ['GET', '/api/v1/users/{user_id}/links', 'User'],
  getLink: ['GET', '/api/v1/users/{user_id}/links/{link_id}', 'User'],
  updateLink: ['PUT', '/api/v1/users/{user_id}/links/{link_id}', 'User'],
  deleteLink: ['DELETE', '/api/v1/users/{user_id}/links/{link_id}', 'User'],
  visitLink: ['GET', '/s/{secret}/link', 'none', 'steady'],
  enterPassword: ['POST', '/s/{secret}/password', 'none'],
  listLinkImages: ['GET', '/s/{secret}/images', 'none'],
  createLinkArchive: ['POST', '/s/{secret}/archive', 'none', 'steady'],
  getLinkArchive: ['GET', '/s/{secret}/archive', 'none'],
  sendLinkImage: ['POST', '/s/{secret}/images', 'none'],
  listArrivedImages: ['GET', '/s/{secret}/arrived', 'none'],
  describeLinkUploads: ['OPTIONS', '/s/{secret}/uploads', 'none', 'protocol'],
  createLinkUpload: ['POST', '/s/{secret}/uploads', 'none', 'protocol'],
  describeLinkUpload: ['OPTIONS', '/s/{secret}/uploads/{upload_id}', 'none', 'protocol'],
  getLinkUploadOffset: ['HEAD', '/s/{secret}/uploads/{upload_id}', 'none', 'protocol'],
  appendToLinkUpload: ['PATCH', '/s/{secret}/uploads/{upload_id}', 'none', 'protocol'],
  deleteLinkUpload: ['DELETE', '/s/{secret}/uploads/{upload_id}', 'none', 'protocol'],
  uploadImage: ['POST', '/api/v1/users/{user_id}/images', 'User'],
  listImages: ['GET', '/api/v1/users/{user_id}/images', 'User'],
  exportImages: ['GET', '/api/v1/users/{user_id}/images/export', 'User'],
  getImage: ['GET', '/api/v1/users/{user_id}/images/{image_id}', 'User'],
  updateImage: ['PUT', '/api/v1/users/{user_id}/images/{image_id}', 'User'],
  groupImages: ['GET', '/api/v1/users/{user_id}/images/group', 'User'],
  groupImagesPaged: ['GET', '/api/v1/users/{user_id}/images/group/paged', 'User'],
  changeImages: ['POST', '/api/v1/users/{user_id}/images/batch', 'User'],
  imageDays: ['GET', '/api/v1/users/{user_id}/images/days', 'User'],
  createArchive: ['POST', '/api/v1/users/{user_id}/images/archive', 'User'],
  getArchive: ['GET', '/api/v1/users/{user_id}/images/archive/{archive_id}', 'User', 'steady'],
  createLedger: ['POST', '/api/v1/users/{user_id}/images/ledger', 'User'],
  getLedger: ['GET', '/api/v1/users/{user_id}/images/ledger/{ledger_id}', 'User', 'steady'],
  imageChoices: ['GET', '/api/v1/users/{user_id}/images/choices', 'User', 'steady'],
  imageAddresses: ['GET', '/api/v1/users/{user_id}/images/addresses', 'User'],
  countImages: ['GET', '/api/v1/users/{user_id}/images/count', 'User'],
  listChanges: ['GET', '/api/v1/users/{user_id}/changes', 'User'],
  getSnapshot: ['GET', '/api/v1/users/{user_id}/snapshot', 'User'],
  listPlatformChanges: ['GET', '/api/v1/platforms/{platform_id}/changes', 'Platform'],
  getMapTile: ['GET', '/api/v1/users/{user_id}/map/{z}/{x}/{y}.mvt', 'User'],
  getMapTileJson: ['GET', '/api/v1/users/{user_id}/map/tilejson', 'User', 'steady'],
  getMapClusters: ['GET', '/api/v1/users/{user_id}/map/clusters', 'User'],
  getPlatformMapTile: ['GET', '/api/v1/platforms/{platform_id}/map/{z}/{x}/{y}.mvt', 'Platform'],
  getPlatformMapTileJson: [
    'GET',
    '/api/v1/platforms/{platform_id}/map/tilejson',
    'Platform',
    'steady',
  ],
  getPlatformMapClusters: ['GET', '/api/v1/platforms/{platform_id}/map/clusters', 'Platform'],
  createWebhook: ['POST', '/api/v1/platforms/{platform_id}/webhooks', 'Platform'],
  listWebhooks: ['GET', '/api/v1/platforms/{platform_id}/webhooks', 'Platform', 'steady'],
  getWebhook: ['GET', '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}', 'Platform'],
  updateWebhook: ['PUT', '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}', 'Platform'],
  deleteWebhook: ['DELETE', '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}', 'Platform'],
  rotateWebhook: [
    'POST',
    '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/rotate',
    'Platform',
  ],
  pauseWebhook: ['POST', '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/pause', 'Platform'],
  resumeWebhook: [
    'POST',
    '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/resume',
    'Platform',
  ],
  listDeliveries: [
    'GET',
    '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}/deliveries',
    'Platform',
  ],
  createHold: ['POST', '/api/v1/platforms/{platform_id}/holds', 'Platform'],
  listHolds: ['GET', '/api/v1/platforms/{platform_id}/holds', 'Platform'],
  getHold: ['GET', '/api/v1/platforms/{platform_id}/holds/{hold_id}', 'Platform'],
  releaseHold: ['DELETE', '/api/v1/platforms/{platform_id}/holds/{hold_id}', 'Platform'],
  createToken: ['POST', '/api/v1/users/{user_id}/tokens', 'User'],
  listTokens: ['GET', '/api/v1/users/{user_id}/tokens', 'User'],
  getToken: ['GET', '/api/v1/users/{user_id}/tokens/{token_id}', 'User'],
  deleteToken: ['DELETE', '/api/v1/users/{user_id}/tokens/{token_id}', 'User'],
  createPlatformToken: ['POST', '/api/v1/platforms/{platform_id}/tokens', 'Platform'],
  listPlatformTokens: ['GET', '/api/v1/platforms/{platform_id}/tokens', 'Platform', 'steady'],
  getPlatformToken: ['GET', '/api/v1/platforms/{platform_id}/tokens/{token_id}', 'Platform'],
  deletePlatformToken: ['DELETE', '/api/v1/platforms/{platform_id}/tokens/{token_id}', 'Platform'],
  setIdentity: ['PUT', '/api/v1/platforms/{platform_id}/identity', 'Platform'],
  getIdentity: ['GET', '/api/v1/platforms/{platform_id}/identity', 'Platform'],
  deleteIdentity: ['DELETE', '/api/v1/platforms/{platform_id}/identity', 'Platform'],
  getProof: ['GET', '/api/v1/users/{user_id}/images/{image_id}/proof', 'User'],
  getLogCheckpoint: ['GET', '/log/{platform_id}/checkpoint', 'Platform', 'steady'],
  getLogKey: ['GET', '/log/{platform_id}/key', 'Platform', 'steady'],
  getLogTile: ['GET', '/log/{platform_id}/tile/{level}/{index}', 'Platform', 'steady'],
  readAudit: ['GET', '/api/v1/audit', 'Admin'],
  readPlatformAudit: ['GET', '/api/v1/platforms/{platform_id}/audit', 'Platform'],
  getAllStatistics: ['GET', '/api/v1/statistics', 'Admin'],
  shareImages: ['POST', '/api/v1/users/{user_id}/images/share', 'User'],
} as const satisfies Record<
  string,
  readonly [method: string, path: string, scheme: string, mark?: 'steady' | 'terminal' | 'protocol']
>;

export type OperationName = keyof typeof operations;

/** Operations on users that their platform may call as well. */
export const alsoForPlatforms: ReadonlySet<OperationName> = new Set([
  ...(['listChanges', 'getSnapshot'] as const),
  ...(['getMapTile', 'getMapTileJson', 'getMapClusters'] as const),
  ...(['emptyTrash', 'deleteFromTrash', 'imageDays', 'changeImages'] as const),
  ...(['createLink', 'listLinks', 'getLink', 'updateLink', 'deleteLink'] as const),
  ...(['createToken', 'listTokens', 'getToken', 'deleteToken'] as const),
  ...(['listSessions', 'endSessions', 'endSession', 'signOut'] as const),
]);

/** Operations on platforms that administrators may call as well. */
export const alsoForAdmins: ReadonlySet<OperationName> = new Set([
  'platformLimits',
  'listAccounts',
  'suspendUser',
  'resumeUser',
  'createSignIn',
  'signOut',
  ...(['createHold', 'listHolds', 'getHold', 'releaseHold'] as const),
]);

export const operationNames = Object.keys(operations) as OperationName[];

/** `GET /a/{b}`, as routes appear in reports. */
export const routeOf = (name: OperationName): string => operations[name].slice(0, 2).join(' ');

/** Fewer placeholders first, so that `/images/count` does not match `/images/{image_id}`. */
const byPath = operationNames
  .map((name) => {
    const [method, path] = operations[name];
    const pattern = new RegExp(
      `^${path.replace('{index}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`,
    );
    return { name, method, pattern, placeholders: path.split('{').length };
  })
  .sort((a, b) => a.placeholders - b.placeholders);

/** The operation of a request; undefined for paths outside the interface. */
export const operationAt = (method: string, path: string): OperationName | undefined =>
  byPath.find((one) => one.method === method && one.pattern.test(path))?.name;
