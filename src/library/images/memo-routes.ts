import { memoChanges, newMemo } from '../annotations/schemas.js';
import { operation } from '../../http/operation.js';
import type { Operation, Request } from '../../http/operation.js';
import { imageOfPath, quotaErrors } from './annotation-parts.js';
import type { AnnotationParts } from './annotation-parts.js';
import { imageRecord } from './schemas.js';

const image = '/api/v1/users/:user_id/images/:image_id' as const;
const memos = `${image}/memos` as const;
const memo = `${memos}/:memo_id` as const;

export const memoOperations = ({ annotations, images }: AnnotationParts): Operation[] => {
  const withMemos = ({
    path,
    resolveUrl,
  }: Pick<Request<typeof image, unknown, unknown>, 'path' | 'resolveUrl'>) =>
    images.get(path.user_id, path.image_id, { memos: true }, resolveUrl);
  return [
    operation(
      {
        id: 'createMemo',
        method: 'post',
        path: memos,
        scheme: 'User',
        summary: 'Add a memo to an image',
        body: newMemo,
        result: imageRecord,
        errors: ['image_not_found', 'too_many_memos', 'too_much_text', ...quotaErrors],
      },
      async (request) => {
        const { message, is_client: isClient } = request.input;
        await annotations.createMemo({ ...imageOfPath(request.path), message, isClient });
        return withMemos(request);
      },
    ),
    operation(
      {
        id: 'listMemos',
        method: 'get',
        path: memos,
        scheme: 'User',
        summary: 'Get an image with its memos, oldest first',
        result: imageRecord,
        errors: ['image_not_found'],
      },
      withMemos,
    ),
    operation(
      {
        id: 'updateMemo',
        method: 'put',
        path: memo,
        scheme: 'User',
        summary: 'Change a memo',
        body: memoChanges,
        result: imageRecord,
        errors: ['image_not_found', 'memo_not_found', 'too_much_text', ...quotaErrors],
      },
      async (request) => {
        const { path, input } = request;
        const changes = { message: input.message, isClient: input.is_client };
        await annotations.changeMemo({ ...imageOfPath(path), id: path.memo_id }, changes);
        return withMemos(request);
      },
    ),
    operation(
      {
        id: 'deleteMemo',
        method: 'delete',
        path: memo,
        scheme: 'User',
        summary: 'Permanently delete a memo',
        result: imageRecord,
        errors: ['image_not_found', 'memo_not_found'],
      },
      async (request) => {
        const { path } = request;
        await annotations.removeMemo({ ...imageOfPath(path), id: path.memo_id });
        return withMemos(request);
      },
    ),
  ];
};
