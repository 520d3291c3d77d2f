import { ServiceError } from '../../errors/catalogue.js';
import { badConfiguration, dependencyDown } from '../../errors/operator.js';
import type { OperatorError } from '../../errors/operator.js';
import { codeOf, isConnectionFailure } from './failures.js';

interface Explanation {
  readonly what: string;
  readonly setting: string;
  readonly remedy: string;
  /** Whether no later try will go otherwise: the keys or the bucket are wrong. */
  readonly final: boolean;
}

const credentials: Explanation = {
  what: 'The S3 server does not accept the keys',
  setting: 's3.access_key, s3.secret_key',
  remedy:
    'Give the key pair of a user who may use the bucket (IMGSTORE_S3_ACCESS_KEY, IMGSTORE_S3_SECRET_KEY).',
  final: true,
};

const region: Explanation = {
  what: 'The bucket lies in another region',
  setting: 's3.region',
  remedy: 'Set s3.region to the one that the S3 server names for this bucket.',
  final: false, // a bucket that was made just now may answer like this for a while
};

const bucketName: Explanation = {
  what: 'The bucket cannot be used under this name',
  setting: 's3.bucket',
  remedy: 'Choose another --s3-bucket.',
  final: true,
};

/** What the codes of S3 mean for an operator. */
const explanations: Readonly<Record<string, Explanation>> = {
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  InvalidToken: credentials,
  RequestTimeTooSkewed: {
    what: 'The clocks of this machine and of the S3 server differ by more than 15 minutes',
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
    remedy: 'imgstore init makes it.',
    final: true,
  },
  InvalidBucketName: bucketName,
  BucketAlreadyExists: bucketName,
  AccessDenied: {
    what: 'The keys do not permit this',
    setting: 's3.access_key',
    remedy:
      'Permit s3:ListBucket and s3:ListBucketMultipartUploads on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects.',
    final: true,
  },
};

/** A failure of the S3 server in the operator's words. @param doing completes "… while DOING". */
export function explainS3(error: unknown, doing: string): OperatorError {
  const cause = error instanceof ServiceError && error.cause ? error.cause : error;
  const code = codeOf(cause) ?? '';
  const detail = `while ${doing}: ${[code, (cause as Error).message].filter(Boolean).join(', ')}`;
  const known = explanations[code];
  if (known) {
    const { what, final, ...parts } = known;
    const tell = final ? badConfiguration : dependencyDown;
    return tell(`${what} (${detail}).`, { ...parts, cause });
  }
  const setting = 's3.endpoint';
  if (/CERT|TLS|SSL|EPROTO|HPE_|UNABLE_TO/.test(code)) {
    return dependencyDown(`The connection to the S3 server is not what it should be (${detail}).`, {
      setting,
      remedy:
        'https:// where the server speaks TLS, http:// where it does not; NODE_EXTRA_CA_CERTS=FILE makes Node.js trust a CA of your own.',
      cause,
    });
  }
  const away = isConnectionFailure(cause) ? 'cannot be reached' : 'does not work';
  return dependencyDown(`The S3 server ${away} (${detail}).`, {
    setting,
    remedy: 'Look whether it runs and answers: curl -i ENDPOINT',
    cause,
  });
}
