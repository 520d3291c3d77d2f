import { type Config, type OptionKey, variableOf } from '../../base/config/options.js';
import { durationText } from '../../base/config/setting.js';
import { badConfiguration } from '../../base/errors/operator.js';
import type { BucketConfig } from './bucket.js';
import { dayMs, secondMs } from '../../base/units.js';

/** The longest lifetime that S3 allows for a URL, in seconds. */
const maxPresignedSeconds = (7 * dayMs) / secondMs;

/** Whether an S3 server is configured. */
export const namesS3 = (config: Config): boolean => config['s3.endpoint'].length > 0;

/**
 * The bucket described by the settings.
 * @throws OperatorError 78 that names every missing or conflicting setting.
 */
export function bucketConfigOf(config: Config): BucketConfig {
  const byRole = config['s3.credentials'] === 'instance';
  const keys = ['s3.access_key', 's3.secret_key'] as const;
  const required = ['s3.bucket', ...(byRole ? [] : keys)] as const;
  const missing: OptionKey[] = required.filter((key) => config[key] === undefined);
  if (!namesS3(config)) missing.unshift('s3.endpoint');
  if (missing.length > 0) {
    throw badConfiguration(`The S3 store is missing ${missing.join(', ')}.`, {
      setting: missing.join(', '),
      remedy: `Set ${missing.map((key) => `${key} in config.yaml or ${variableOf(key)}`).join(', ')}.`,
    });
  }
  checkLifetime(config);
  if (byRole) checkDelivery(config);
  const prefix = config['s3.prefix']?.replace(/\/?$/, '/');
  return {
    byRole,
    ...(prefix !== undefined && { prefix }),
    endpoints: config['s3.endpoint'],
    bucket: config['s3.bucket'] ?? '',
    region: config['s3.region'],
    accessKey: (byRole ? undefined : config['s3.access_key']) ?? '',
    secretKey: (byRole ? undefined : config['s3.secret_key']) ?? '',
  };
}

/** The keys of a role expire after a few hours, and with them the URLs that they signed. */
function checkDelivery(config: Config): void {
  if (config['s3.delivery'] === 'proxy') return;
  throw badConfiguration(
    'URLs signed with the credentials of an instance would expire early, together with the credentials.',
    { setting: 's3.delivery', remedy: 'Set s3.delivery to proxy, or s3.credentials to keys.' },
  );
}

function checkLifetime(config: Config): void {
  const longest = Math.floor((maxPresignedSeconds * 4) / 5);
  if (config['s3.delivery'] === 'proxy' || config.signed_url_ttl <= longest) return;
  throw badConfiguration(
    `S3 limits the lifetime of signed URLs to ${longest} seconds; signed_url_ttl is ${durationText(config.signed_url_ttl)}.`,
    {
      setting: 'signed_url_ttl',
      remedy: `Set signed_url_ttl to ${longest}s, or s3.delivery to proxy.`,
    },
  );
}
