import { operation, type Operation } from '../../http/operation.js';
import { indexQuery } from '../../http/paging/pages.js';
import { newUploadSet, uploadSetDetails, uploadSetList, uploadSetRecord } from './schemas.js';
import type { UploadSets } from './upload-sets.js';

const sets = '/api/v1/users/:user_id/upload-sets' as const;
const common = { allow: ['upload'], scheme: 'User', ext: true } as const;
const ofOne = { ...common, path: `${sets}/:upload_set_id` } as const;

export const uploadSetOperations = (uploadSets: UploadSets): Operation[] => [
  operation(
    {
      ...common,
      id: 'createUploadSet',
      method: 'post',
      path: sets,
      summary:
        'Announce files that belong together; the set is complete once all are stored durably',
      body: newUploadSet,
      result: uploadSetRecord,
      errors: ['user_not_found', 'folder_not_found', 'folder_in_trash', 'too_many_upload_sets'],
    },
    ({ path, input }) => uploadSets.create(path.user_id, input),
  ),
  operation(
    {
      ...common,
      id: 'listUploadSets',
      method: 'get',
      path: sets,
      summary: "List the user's upload sets, newest first",
      query: indexQuery,
      result: uploadSetList,
      errors: ['invalid_cursor'],
    },
    ({ path, input }) => uploadSets.list(path.user_id, input),
  ),
  operation(
    {
      ...ofOne,
      id: 'getUploadSet',
      method: 'get',
      summary: 'Get an upload set, with the hashes of the files that are missing',
      result: uploadSetDetails,
      errors: ['upload_set_not_found'],
    },
    ({ path }) => uploadSets.get(path.user_id, path.upload_set_id),
  ),
  operation(
    {
      ...ofOne,
      id: 'deleteUploadSet',
      method: 'delete',
      summary: 'Forget an upload set; images stay as they are',
      result: uploadSetRecord,
      errors: ['user_not_found', 'upload_set_not_found'],
    },
    ({ path }) => uploadSets.forget(path.user_id, path.upload_set_id),
  ),
];
