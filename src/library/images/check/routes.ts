import { operation, type Operation } from '../../../http/operation.js';
import { checkFields, checkLimitText, checkResult, type PresenceCheck } from './service.js';

export const checkOperations = (presence: PresenceCheck): Operation[] => [
  operation(
    {
      id: 'checkImages',
      method: 'post',
      path: '/api/v1/users/:user_id/images/check',
      scheme: 'User',
      summary: `Check which of up to ${checkLimitText} files the user has, as uploads or edits`,
      ext: true,
      keyless: true,
      body: checkFields,
      result: checkResult,
    },
    ({ path, input }) => presence.check(path.user_id, input.hashes),
  ),
];
