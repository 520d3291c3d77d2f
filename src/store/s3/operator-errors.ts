import { ServiceError } from '../../errors/catalogue.js';
import { badConfiguration, dependencyDown } from '../../errors/operator.js';
import type { OperatorError } from '../../errors/operator.js';
import { s3CodeOf, isConnectionFailure } from './errors.js';
import { commandLine } from '../../os/command-line.js';

interface Explanation {
  readonly what: string;
  readonly setting: string;
  readonly remedy: string;
  /** Whether retrying is pointless: the keys or the bucket are wrong. */
  readonly final: boolean;
}

const credentials: Explanation = {
  what: 'The S3 server rejected the keys',
  setting: 's3.access_key, s3.secret_key',
  remedy:
    'Use the key pair of a user with access to the bucket (IMGSTORE_S3_ACCESS_KEY, IMGSTORE_S3_SECRET_KEY).',
  final: true,
};

const region: Explanation = {
  what: 'The bucket is in another region',
  setting: 's3.region',
  remedy: 'Set s3.region to the region that the S3 server reports for this bucket.',
  final: false, // a bucket that was just created may respond like this for a while
};

const bucketName: Explanation = {
  what: 'The bucket name cannot be used',
  setting: 's3.bucket',
  remedy: 'Choose another --s3-bucket.',
  final: true,
};

/** What S3 error codes mean for an operator. */
const explanations: Readonly<Record<string, Explanation>> = {
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  InvalidToken: credentials,
  RequestTimeTooSkewed: {
    what: 'The clocks of this machine and the S3 server differ by more than 15 minutes',
    setting: 's3.endpoint',
    remedy: 'Set the clock, for example: timedatectl set-ntp true',
    final: false,
  },
  AuthorizationHeaderMalformed: region,
  AuthorizationQueryParametersError: region,
  IllegalLocationConstraintException: region,
  InvalidLocationConstraint: region,
  PermanentRedirect: region,
  MovedPermanently: region,
  NoSuchBucket: {
    what: 'There is no such bucket',
    setting: 's3.bucket',
    remedy: `${commandLine('init')} creates it.`,
    final: true,
  },
  InvalidBucketName: bucketName,
  BucketAlreadyExists: bucketName,
  AccessDenied: {
    what: 'The keys do not permit this',
    setting: 's3.access_key',
    remedy:
      'Grant s3:ListBucket and s3:ListBucketMultipartUploads on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject, and s3:AbortMultipartUpload on its objects.',
    final: true,
  },
};

/** Whether the server does not implement S3, which answers in XML with an error code. */
function isNoS3(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'InvalidXMLError') return true;
  return error.name === 'S3Error' && (!('code' in error) || error.code === 'MethodNotAllowed');
}

/** Explains a failure of the S3 server to the operator. @param doing completes "… while DOING". */
export function explainS3(error: unknown, doing: string): OperatorError {
  const cause = error instanceof ServiceError && error.cause ? error.cause : error;
  const code = s3CodeOf(cause) ?? '';
  const detail = `while ${doing}: ${[code, (cause as Error).message].filter(Boolean).join(', ')}`;
  const known = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (known) {
    const { what, final, ...parts } = known;
    const explained = final ? badConfiguration : dependencyDown;
    return explained(`${what} (${detail}).`, { ...parts, cause });
  }
  if (/Unable to get credentials/i.test((cause as Error).message)) {
    return dependencyDown(`This machine has no credentials for S3 (${detail}).`, {
      setting: 's3.credentials',
      remedy:
        'Give the machine, container, or service account a role with access to the bucket, or set s3.credentials to keys.',
      cause,
    });
  }
  const setting = 's3.endpoint';
  if (isNoS3(cause)) {
    return badConfiguration(`The server at the endpoint is not an S3 server (${detail}).`, {
      setting,
      remedy:
        'Use the URL of the S3 API itself, not of a web console, another port, or a website in front of it. Check what answers: curl -i ENDPOINT',
      cause,
    });
  }
  if (/CERT|TLS|SSL|EPROTO|HPE_|UNABLE_TO/.test(code)) {
    return dependencyDown(
      `The connection to the S3 server uses the wrong protocol or certificate (${detail}).`,
      {
        setting,
        remedy:
          'Use https:// if the server speaks TLS, http:// if not; NODE_EXTRA_CA_CERTS=FILE makes Node.js trust your own CA.',
        cause,
      },
    );
  }
  const away = isConnectionFailure(cause) ? 'cannot be reached' : 'failed';
  return dependencyDown(`The S3 server ${away} (${detail}).`, {
    setting,
    remedy: 'Check that it is running and responding: curl -i ENDPOINT',
    cause,
  });
}
