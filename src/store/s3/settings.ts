import type { Config, OptionKey } from '../../config/options.js';
import { variableOf } from '../../config/options.js';
import { badConfiguration } from '../../errors/operator.js';
import type { BucketAddress } from './bucket.js';
import { dayMs, secondMs } from '../../units.js';

/** The longest that S3 lets an address live, in seconds. */
const maxPresignedSeconds = (7 * dayMs) / secondMs;

/** Whether the settings name an S3 server. */
export const namesS3 = (config: Config): boolean => config['s3.endpoint'].length > 0;

/**
 * The bucket that the settings describe.
 * @throws OperatorError 78 that names every setting that is missing or does not fit the others.
 */
export function bucketAddress(config: Config): BucketAddress {
  const required = ['s3.bucket', 's3.access_key', 's3.secret_key'] as const;
  const missing: OptionKey[] = required.filter((key) => config[key] === undefined);
  if (!namesS3(config)) missing.unshift('s3.endpoint');
  if (missing.length > 0) {
    throw badConfiguration(`The S3 store lacks ${missing.join(', ')}.`, {
      setting: missing.join(', '),
      remedy: `Set ${missing.map((key) => `${key} in config.yaml or ${variableOf(key)}`).join(', ')}.`,
    });
  }
  checkLifetime(config);
  return {
    endpoints: config['s3.endpoint'],
    bucket: config['s3.bucket'] ?? '',
    region: config['s3.region'],
    accessKey: config['s3.access_key'] ?? '',
    secretKey: config['s3.secret_key'] ?? '',
  };
}

function checkLifetime(config: Config): void {
  const longest = Math.floor((maxPresignedSeconds * 4) / 5);
  if (config['s3.delivery'] === 'proxy' || config.signed_url_ttl <= longest) return;
  throw badConfiguration(
    `An S3 server lets signed addresses live for ${longest} seconds at most; signed_url_ttl asks for ${config.signed_url_ttl}.`,
    {
      setting: 'signed_url_ttl',
      remedy: `Set signed_url_ttl to ${longest}s, or s3.delivery to proxy.`,
    },
  );
}
