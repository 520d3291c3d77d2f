import { flag, list, network } from '../schemas.js';
import { setting } from '../setting.js';

export const webhooks = {
  'webhooks.allow_http': setting(flag, {
    about: 'Whether webhooks may be sent to http:// URLs, unencrypted',
    fallback: false,
  }),
  'webhooks.allow_networks': setting(list(network), {
    about:
      'Private networks that webhooks may be sent to, such as 10.1.0.0/16; all other loopback, private and link-local IPs are refused',
    fallback: [],
  }),
};
