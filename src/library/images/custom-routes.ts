import { z } from 'zod';
import { customChanges, customRecord, newCustom } from '../annotations/schemas.js';
import { operation } from '../../http/operation.js';
import type { Operation } from '../../http/operation.js';
import { imageOfPath, quotaErrors } from './annotation-parts.js';
import type { AnnotationParts } from './annotation-parts.js';

const customs = '/api/v1/users/:user_id/images/:image_id/customs' as const;
const custom = `${customs}/:custom_id` as const;

export const customOperations = ({ annotations, images }: AnnotationParts): Operation[] => [
  operation(
    {
      id: 'createCustom',
      method: 'post',
      path: customs,
      scheme: 'User',
      summary: 'Add a custom (key/value pair) to an image',
      body: newCustom,
      result: customRecord,
      errors: ['image_not_found', 'too_many_customs', 'too_much_text', ...quotaErrors],
    },
    ({ path, input }) => annotations.createCustom(imageOfPath(path), input),
  ),
  operation(
    {
      id: 'listCustoms',
      method: 'get',
      path: customs,
      scheme: 'User',
      summary: "List an image's customs, oldest first",
      result: z.array(customRecord),
      errors: ['image_not_found'],
    },
    async ({ path }) => {
      await images.assertExists(path.user_id, path.image_id);
      return annotations.customsOn(path.image_id);
    },
  ),
  operation(
    {
      id: 'updateCustom',
      method: 'put',
      path: custom,
      scheme: 'User',
      summary: 'Change a custom',
      body: customChanges,
      result: customRecord,
      errors: ['image_not_found', 'custom_not_found', 'too_much_text', ...quotaErrors],
    },
    ({ path, input }) =>
      annotations.changeCustom({ ...imageOfPath(path), id: path.custom_id }, input),
  ),
  operation(
    {
      id: 'deleteCustom',
      method: 'delete',
      path: custom,
      scheme: 'User',
      summary: 'Permanently delete a custom',
      result: customRecord,
      errors: ['image_not_found', 'custom_not_found'],
    },
    ({ path }) => annotations.removeCustom({ ...imageOfPath(path), id: path.custom_id }),
  ),
];
