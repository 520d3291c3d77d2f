import { duration, durationOrNone } from '../schemas.js';
import { setting } from '../setting.js';

export const tokens = {
  'tokens.admin_ttl': setting(duration, {
    about: 'Lifetime of admin access tokens',
    fallback: '12h',
  }),
  'tokens.platform_ttl': setting(duration, {
    about: 'Lifetime of platform access tokens',
    fallback: '90d',
  }),
  'tokens.user_ttl': setting(duration, {
    about: 'Lifetime of user access tokens',
    fallback: '24h',
  }),
  'tokens.refresh_ttl': setting(duration, {
    about: 'Lifetime of refresh tokens',
    fallback: '180d',
  }),
  'tokens.refresh_grace': setting(durationOrNone, {
    about:
      'How long after its use a refresh token may be sent again without an Idempotency-Key, since answers get lost; 0: never',
    fallback: '60s',
  }),
};
