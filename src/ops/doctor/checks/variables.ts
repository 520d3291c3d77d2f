import { unknownVariables } from '../../../base/config/load.js';
import { ok, warning, type Check } from '../check.js';

export const variables: Check = {
  name: 'variables',
  title: 'Every variable named IMGSTORE_… is known',
  category: 'home',
  run: ({ env }) => {
    const sentences = unknownVariables(env);
    if (sentences.length === 0) return ok('No variable is mistyped.');
    return warning(
      sentences.join(' '),
      'Correct its name in the unit, the compose file, or the profile of the shell; "imgstore help settings" lists all.',
    );
  },
};
