import { invalidField } from '../../base/errors/catalogue.js';
import type { Config } from '../../base/config/options.js';
import { AllowedIps, numericHost } from './allowed-ips.js';

/** The URLs that webhooks may be sent to, according to the operator's settings. */
export class Targets {
  readonly allowedIps: AllowedIps;
  readonly #allowHttp: boolean;

  constructor(config: Pick<Config, 'webhooks.allow_http' | 'webhooks.allow_networks'>) {
    this.allowedIps = new AllowedIps(config['webhooks.allow_networks']);
    this.#allowHttp = config['webhooks.allow_http'];
  }

  /**
   * The requirement that a URL violates, completing "must be …"; host names are resolved only on
   * delivery.
   */
  objectionTo(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return 'a URL that starts with https://';
    if (url.protocol === 'http:' && !this.#allowHttp) {
      return 'a URL that starts with https://; http:// needs the setting webhooks.allow_http';
    }
    if (url.username !== '' || url.password !== '') return 'a URL without a user and password';
    const ip = numericHost(url);
    if (ip !== undefined && !this.allowedIps.allows(ip)) {
      return `a URL of a public host; ${ip} needs the setting webhooks.allow_networks`;
    }
    return undefined;
  }

  /** @throws ServiceError `invalid_field`. */
  assertPossible(text: string): void {
    const objection = this.objectionTo(text);
    if (objection !== undefined) throw invalidField('url', objection);
  }
}
