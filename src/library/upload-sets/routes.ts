import { operation, type Operation } from '../../http/operation.js';
import {
  newUploadSet,
  uploadSetDetails,
  uploadSetList,
  uploadSetPage,
  uploadSetRecord,
} from './schemas.js';
import type { UploadSets } from './upload-sets.js';

const sets = '/api/v1/users/:user_id/upload-sets' as const;
const set = `${sets}/:upload_set_id` as const;

export const uploadSetOperations = (uploadSets: UploadSets): Operation[] => [
  operation(
    {
      id: 'createUploadSet',
      allow: ['upload'],
      method: 'post',
      path: sets,
      scheme: 'User',
      summary:
        'Announce files that belong together; the set is complete once all are stored durably',
      ext: true,
      body: newUploadSet,
      result: uploadSetRecord,
      errors: ['user_not_found', 'folder_not_found', 'folder_in_trash', 'too_many_upload_sets'],
    },
    ({ path, input }) => uploadSets.create(path.user_id, input),
  ),
  operation(
    {
      id: 'listUploadSets',
      allow: ['upload'],
      method: 'get',
      path: sets,
      scheme: 'User',
      summary: "List the user's upload sets, newest first",
      ext: true,
      query: uploadSetPage,
      result: uploadSetList,
      errors: ['invalid_cursor'],
    },
    ({ path, input }) => uploadSets.list(path.user_id, input),
  ),
  operation(
    {
      id: 'getUploadSet',
      allow: ['upload'],
      method: 'get',
      path: set,
      scheme: 'User',
      summary: 'Get an upload set, with the hashes of the files that are missing',
      ext: true,
      result: uploadSetDetails,
      errors: ['upload_set_not_found'],
    },
    ({ path }) => uploadSets.get(path.user_id, path.upload_set_id),
  ),
  operation(
    {
      id: 'deleteUploadSet',
      allow: ['upload'],
      method: 'delete',
      path: set,
      scheme: 'User',
      summary: 'Forget an upload set; images stay as they are',
      ext: true,
      result: uploadSetRecord,
      errors: ['user_not_found', 'upload_set_not_found'],
    },
    ({ path }) => uploadSets.forget(path.user_id, path.upload_set_id),
  ),
];
