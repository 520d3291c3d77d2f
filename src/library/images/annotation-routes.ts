import { z } from 'zod';
import { operation, type Operation, type Request } from '../../http/operation.js';
import { imageRecord } from './schemas.js';
import type { Images } from './images.js';
import {
  customChanges,
  customRecord,
  memoChanges,
  newCustom,
  newMemo,
} from '../annotations/schemas.js';
import type { Annotations } from '../annotations/annotations.js';

/** Dependencies of the memo and custom routes. */
interface AnnotationParts {
  readonly annotations: Annotations;
  readonly images: Images;
}

const reading = { allow: ['read'], method: 'get', scheme: 'User' } as const;
const changing = { allow: ['change'], scheme: 'User' } as const;

/** Text counts against the quota. */
const quotaErrors = ['storage_quota_exceeded', 'platform_limit_exceeded'] as const;

/** The image identified by a path, and its user. */
const imageOfPath = (path: { readonly user_id: string; readonly image_id: string }) => ({
  userId: path.user_id,
  imageId: path.image_id,
});

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
        ...changing,
        id: 'createMemo',
        method: 'post',
        path: memos,
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
        ...reading,
        id: 'listMemos',
        path: memos,
        summary: 'Get an image with its memos, oldest first',
        result: imageRecord,
        errors: ['image_not_found'],
      },
      withMemos,
    ),
    operation(
      {
        ...changing,
        id: 'updateMemo',
        method: 'put',
        path: memo,
        summary: 'Change a memo',
        body: memoChanges,
        result: imageRecord,
        errors: ['image_not_found', 'memo_not_found', 'held', 'too_much_text', ...quotaErrors],
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
        ...changing,
        id: 'deleteMemo',
        method: 'delete',
        path: memo,
        summary: 'Permanently delete a memo',
        result: imageRecord,
        errors: ['image_not_found', 'memo_not_found', 'held'],
      },
      async (request) => {
        const { path } = request;
        await annotations.removeMemo({ ...imageOfPath(path), id: path.memo_id });
        return withMemos(request);
      },
    ),
  ];
};

const customs = `${image}/customs` as const;
const custom = `${customs}/:custom_id` as const;

export const customOperations = ({ annotations, images }: AnnotationParts): Operation[] => [
  operation(
    {
      ...changing,
      id: 'createCustom',
      method: 'post',
      path: customs,
      summary: 'Add a custom (key/value pair) to an image',
      body: newCustom,
      result: customRecord,
      errors: ['image_not_found', 'too_many_customs', 'too_much_text', ...quotaErrors],
    },
    ({ path, input }) => annotations.createCustom(imageOfPath(path), input),
  ),
  operation(
    {
      ...reading,
      id: 'listCustoms',
      path: customs,
      summary: "List an image's customs, oldest first",
      result: z.array(customRecord),
      errors: ['image_not_found'],
    },
    ({ path }) => images.customs(path.user_id, path.image_id),
  ),
  operation(
    {
      ...changing,
      id: 'updateCustom',
      method: 'put',
      path: custom,
      summary: 'Change a custom',
      body: customChanges,
      result: customRecord,
      errors: ['image_not_found', 'custom_not_found', 'held', 'too_much_text', ...quotaErrors],
    },
    ({ path, input }) =>
      annotations.changeCustom({ ...imageOfPath(path), id: path.custom_id }, input),
  ),
  operation(
    {
      ...changing,
      id: 'deleteCustom',
      method: 'delete',
      path: custom,
      summary: 'Permanently delete a custom',
      result: customRecord,
      errors: ['image_not_found', 'custom_not_found', 'held'],
    },
    ({ path }) => annotations.removeCustom({ ...imageOfPath(path), id: path.custom_id }),
  ),
];
