import type { WallClock } from '../../base/time.js';
import { operation, type Operation } from '../../http/operation.js';
import { indexQuery } from '../../http/paging/pages.js';
import { holdList, holdRecord, newHold } from './schemas.js';
import type { Holds } from './holds.js';

const holds = '/api/v1/platforms/:platform_id/holds' as const;

const common = { scheme: ['Platform', 'Admin'], allow: 'full', ext: true } as const;
const ofOne = {
  ...common,
  path: `${holds}/:hold_id`,
  result: holdRecord,
  errors: ['platform_not_found', 'hold_not_found'],
} as const;

export const holdOperations = (service: Holds, clock: WallClock): Operation[] => [
  operation(
    {
      ...common,
      id: 'createHold',
      method: 'post',
      path: holds,
      summary:
        'Keep images, a folder, or a user: nothing of it is deleted for good while this lasts',
      body: newHold(clock),
      result: holdRecord,
      errors: ['platform_not_found', 'user_not_found', 'folder_not_found', 'image_not_found'],
    },
    ({ path, caller, input }) => service.create(path.platform_id, caller.scope, input),
  ),
  operation(
    {
      ...common,
      id: 'listHolds',
      method: 'get',
      path: holds,
      summary: "List the platform's holds, ended ones included, newest first",
      query: indexQuery,
      result: holdList,
      errors: ['platform_not_found', 'invalid_cursor'],
    },
    ({ path, input }) => service.list(path.platform_id, input),
  ),
  operation({ ...ofOne, id: 'getHold', method: 'get', summary: 'Get one hold' }, ({ path }) =>
    service.get(path.platform_id, path.hold_id),
  ),
  operation(
    {
      ...ofOne,
      id: 'releaseHold',
      method: 'delete',
      summary: 'End a hold; the days in the trash of what it kept begin anew',
    },
    ({ path, caller }) => service.release(path.platform_id, caller.scope, path.hold_id),
  ),
];
