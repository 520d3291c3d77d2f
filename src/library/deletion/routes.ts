import { operation, type Operation } from '../../http/operation.js';
import { deletedUser, type UserRemoval } from './user-removal.js';

export const deletionOperations = (removal: UserRemoval): Operation[] => [
  operation(
    {
      id: 'deleteUser',
      method: 'delete',
      path: '/api/v1/users/:user_id',
      scheme: 'User',
      summary: "Permanently delete the user with all folders and images; revokes the user's tokens",
      result: deletedUser,
      errors: ['user_not_found'],
    },
    ({ path }) => removal.remove(path.user_id),
  ),
];
