import { invalidField } from '../errors/catalogue.js';
import type { Config } from '../config/options.js';
import { AllowedAddresses, numericHost } from './address.js';

/** Where webhooks may be sent to, as the operator has set it. */
export class Targets {
  readonly addresses: AllowedAddresses;
  readonly #allowHttp: boolean;

  constructor(config: Pick<Config, 'webhooks.allow_http' | 'webhooks.allow_networks'>) {
    this.addresses = new AllowedAddresses(config['webhooks.allow_networks']);
    this.#allowHttp = config['webhooks.allow_http'];
  }

  /** What is wrong with a URL, completing "must be …"; names in it are looked up only on delivery. */
  objectionTo(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return 'a URL that starts with https://';
    if (url.protocol === 'http:' && !this.#allowHttp) {
      return 'a URL that starts with https://; http:// needs the setting webhooks.allow_http';
    }
    if (url.username !== '' || url.password !== '') return 'a URL without a user and password';
    const number = numericHost(url);
    if (number !== undefined && !this.addresses.allows(number)) {
      return `a URL of a public address; ${number} needs the setting webhooks.allow_networks`;
    }
    return undefined;
  }

  /** @throws ServiceError `invalid_field`. */
  assertPossible(text: string): void {
    const objection = this.objectionTo(text);
    if (objection !== undefined) throw invalidField('url', objection);
  }
}
