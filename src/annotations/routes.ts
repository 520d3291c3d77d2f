import { z } from 'zod';
import { operation } from '../http/operation.js';
import type { Operation, Request } from '../http/operation.js';
import { imageRecord } from '../images/schemas.js';
import type { Images } from '../images/service.js';
import { customChanges, customRecord, memoChanges, newCustom, newMemo } from './schemas.js';
import type { Annotations } from './service.js';

export interface AnnotationParts {
  readonly annotations: Annotations;
  /** For the records that memo operations answer with. */
  readonly images: Images;
}

const image = '/api/v1/users/:user_id/images/:image_id' as const;
const memos = `${image}/memos` as const;
const memo = `${memos}/:memo_id` as const;
const customs = `${image}/customs` as const;
const custom = `${customs}/:custom_id` as const;

type Path = { readonly user_id: string; readonly image_id: string };

const owned = ({ user_id: userId, image_id: imageId }: Path) => ({ userId, imageId });

export const memoOperations = ({ annotations, images }: AnnotationParts): Operation[] => {
  const withMemos = ({
    path,
    absolute,
  }: Pick<Request<typeof image, unknown, unknown>, 'path' | 'absolute'>) =>
    images.get(path.user_id, path.image_id, { memos: true }, absolute);
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
      },
      async (request) => {
        const { message, is_client: isClient } = request.input;
        await annotations.createMemo({ ...owned(request.path), message, isClient });
        return withMemos(request);
      },
    ),
    operation(
      {
        id: 'listMemos',
        method: 'get',
        path: memos,
        scheme: 'User',
        summary: 'An image with its memos, oldest first',
        result: imageRecord,
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
      },
      async (request) => {
        const { path, input } = request;
        const changes = { message: input.message, isClient: input.is_client };
        await annotations.changeMemo({ ...owned(path), id: path.memo_id }, changes);
        return withMemos(request);
      },
    ),
    operation(
      {
        id: 'deleteMemo',
        method: 'delete',
        path: memo,
        scheme: 'User',
        summary: 'Delete a memo for good',
        result: imageRecord,
      },
      async (request) => {
        const { path } = request;
        await annotations.removeMemo({ ...owned(path), id: path.memo_id });
        return withMemos(request);
      },
    ),
  ];
};

export const customOperations = ({ annotations, images }: AnnotationParts): Operation[] => [
  operation(
    {
      id: 'createCustom',
      method: 'post',
      path: customs,
      scheme: 'User',
      summary: 'Add a key and value to an image',
      body: newCustom,
      result: customRecord,
    },
    ({ path, input }) => annotations.createCustom(owned(path), input),
  ),
  operation(
    {
      id: 'listCustoms',
      method: 'get',
      path: customs,
      scheme: 'User',
      summary: 'Keys and values of an image, oldest first',
      result: z.array(customRecord),
    },
    async ({ path }) => {
      await images.expect(path.user_id, path.image_id);
      return annotations.customsOn(path.image_id);
    },
  ),
  operation(
    {
      id: 'updateCustom',
      method: 'put',
      path: custom,
      scheme: 'User',
      summary: 'Change a key or value',
      body: customChanges,
      result: customRecord,
    },
    ({ path, input }) => annotations.changeCustom({ ...owned(path), id: path.custom_id }, input),
  ),
  operation(
    {
      id: 'deleteCustom',
      method: 'delete',
      path: custom,
      scheme: 'User',
      summary: 'Delete a key and value for good',
      result: customRecord,
    },
    ({ path }) => annotations.removeCustom({ ...owned(path), id: path.custom_id }),
  ),
];
