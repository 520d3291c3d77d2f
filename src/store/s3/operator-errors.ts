import { ServiceError } from '../../base/errors/catalogue.js';
import {
  badConfiguration,
  dependencyDown,
  type OperatorError,
} from '../../base/errors/operator.js';
import { commandLine, shellWord } from '../../base/os/command-line.js';
import type { BucketConfig } from './bucket.js';
import { s3CodeOf, isConnectionFailure } from './errors.js';

/**
 * What a code means. Only faults that end without the operator exit with 69, since restarting the
 * service then helps.
 */
interface Explanation {
  readonly what: string;
  readonly setting: string;
  readonly remedy: string;
  /** Whether it stays until the operator changes something. */
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
  final: true,
};

const full: Explanation = {
  what: 'The S3 server has no space left for this bucket',
  setting: 's3.bucket',
  remedy: 'Free up space there, or raise the quota of the bucket and of the user of its keys.',
  final: false,
};

const unsupported: Explanation = {
  what: 'The S3 server cannot do what imgstore needs',
  setting: 's3.endpoint',
  remedy: 'Use a server that supports this request, or a version or gateway of it that does.',
  final: true,
};

const refused: Explanation = {
  what: 'The S3 server rejects the requests of imgstore for this bucket',
  setting: 's3.bucket',
  remedy: 'Change the rule of the bucket or server that its message names, or use another bucket.',
  final: true,
};

const bucketName: Explanation = {
  what: 'The bucket name cannot be used',
  setting: 's3.bucket',
  remedy: 'Choose another --s3-bucket.',
  final: true,
};

/** What S3 clients of an installation do with its bucket, and with the objects in it. */
const bucketActions = [
  's3:ListBucket',
  's3:ListBucketMultipartUploads',
  's3:GetBucketVersioning',
  's3:ListBucketVersions',
] as const;
const objectActions = [
  's3:GetObject',
  's3:PutObject',
  's3:DeleteObject',
  's3:DeleteObjectVersion',
  's3:AbortMultipartUpload',
] as const;

/** A permission that imgstore needs; the last one only for a bucket that does not exist. */
export type S3Action = (typeof bucketActions | typeof objectActions)[number] | 's3:CreateBucket';

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
  TemporaryRedirect: {
    what: 'The S3 server redirects requests for this bucket',
    setting: 's3.endpoint',
    remedy:
      'A bucket that was just created is ready within an hour or so; otherwise use the endpoint of its region.',
    final: false,
  },
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
    remedy: `Grant ${bucketActions.join(' and ')} on the bucket, and ${objectActions.join(', ')} on its objects; ${commandLine('doctor', '--only', 'store')} names the one that is missing.`,
    final: true,
  },
  QuotaExceeded: full,
  XMinioStorageFull: full,
  InsufficientCapacity: full,
  NotImplemented: unsupported,
  InvalidArgument: refused,
  InvalidRequest: refused,
  MissingContentLength: refused,
  MissingContentMD5: refused,
};

/** Whether the server does not implement S3, which answers in XML with an error code. */
function isNoS3(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'InvalidXMLError' || s3CodeOf(error) === 'InvalidAnswer') return true;
  return error.name === 'S3Error' && (!('code' in error) || error.code === 'MethodNotAllowed');
}

/** Codes of connections with the wrong protocol, or a certificate that will not become right. */
const wrongTls =
  /^(EPROTO|ERR_SSL_.*|ERR_TLS_.*|HPE_INVALID_(CONSTANT|VERSION)|.*SELF_SIGNED.*|UNABLE_TO_.*|CERT_(?!HAS_EXPIRED|NOT_YET_VALID).*)$/;

/** A failure of the S3 server in the words of its message, with its code. */
function failureOf(error: unknown) {
  const cause = (error instanceof ServiceError && error.cause ? error.cause : error) as Error;
  // The client's own check has no code.
  const code = cause.name === 'InvalidBucketNameError' ? 'InvalidBucketName' : s3CodeOf(cause);
  const detail = [code, cause.message.trim()].filter(Boolean).join(', ') || 'no reason given';
  return { cause, code: code ?? '', detail };
}

/** The region that a server names when it rejects another one. */
function regionIn(error: Error): string | undefined {
  const { region: named, amzBucketRegion = named } = error as {
    region?: unknown;
    amzBucketRegion?: unknown;
  };
  return typeof amzBucketRegion === 'string' ? amzBucketRegion : undefined;
}

/** Explains a failure of the S3 server to the operator. @param doing completes "… while DOING". */
export function explainS3(error: unknown, doing: string): OperatorError {
  const { cause, code, detail: said } = failureOf(error);
  const detail = `while ${doing}: ${said}`;
  const known = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (known) {
    const { what, final, ...parts } = known;
    const right = known === region ? regionIn(cause) : undefined;
    const explained = final ? badConfiguration : dependencyDown;
    return explained(`${what} (${detail}).`, {
      ...parts,
      ...(right && { remedy: `Set s3.region to ${right}.` }),
      cause,
    });
  }
  if (/Unable to get credentials/i.test(cause.message)) {
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
        'Use the URL of the S3 API itself, not of a web console, another port, or a website in front of it, and https:// if it speaks TLS. Check what answers: curl -i ENDPOINT',
      cause,
    });
  }
  if (wrongTls.test(code)) {
    return badConfiguration(
      `The connection to the S3 server uses the wrong protocol or certificate (${detail}).`,
      {
        setting,
        remedy:
          'Use https:// if the server speaks TLS, http:// if not, and the host name in its certificate; NODE_EXTRA_CA_CERTS=FILE makes Node.js trust your own CA.',
        cause,
      },
    );
  }
  if (code.startsWith('CERT_')) {
    return dependencyDown(`The certificate of the S3 server is not valid now (${detail}).`, {
      setting,
      remedy: 'Renew the certificate of the server, or set the clock: timedatectl set-ntp true',
      cause,
    });
  }
  const away = isConnectionFailure(cause) ? 'cannot be reached' : 'failed';
  return dependencyDown(`The S3 server ${away} (${detail}).`, {
    setting,
    remedy: 'Check that it is running and responding: curl -i ENDPOINT',
    cause,
  });
}

interface S3Trial {
  readonly bucketConfig: BucketConfig;
  readonly endpoint: string;
  /** Completes "… while DOING". */
  readonly doing: string;
  /** What the request needs. */
  readonly action: S3Action;
}

/** Explains the failure of one request to a server that is known to be an S3 server. */
export function explainTrial(error: unknown, trial: S3Trial): OperatorError {
  const { endpoint, doing, action } = trial;
  const { cause, code, detail } = failureOf(error);
  const during = `${doing} at ${endpoint}`;
  // The former is what the client calls a 501 or 405 without a document.
  if (code === 'MethodNotAllowed' || code === 'InvalidAnswer') {
    const { what, setting, remedy } = unsupported;
    return badConfiguration(`${what} (while ${during}: ${detail}).`, { setting, remedy, cause });
  }
  if (code !== 'AccessDenied') return explainS3(error, during);
  return badConfiguration(`The keys do not permit ${action} (while ${during}: ${detail}).`, {
    setting: 's3.access_key',
    remedy: grantOf(trial),
    cause,
  });
}

/** The command that grants everything that imgstore needs. */
export function grantOf({
  bucketConfig,
  endpoint,
  action,
}: Pick<S3Trial, 'bucketConfig' | 'endpoint' | 'action'>): string {
  const { bucket, prefix = '', byRole } = bucketConfig;
  const arn = `arn:aws:s3:::${bucket}`;
  const onBucket = action === 's3:CreateBucket' ? [...bucketActions, action] : bucketActions;
  const policy = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: onBucket, Resource: arn },
      { Effect: 'Allow', Action: objectActions, Resource: `${arn}/${prefix}*` },
    ],
  };
  const at = isAws(endpoint) ? '' : ` --endpoint-url ${endpoint}`;
  const whom = byRole ? 'put-role-policy --role-name ROLE' : 'put-user-policy --user-name USER';
  const grant = `aws iam ${whom} --policy-name imgstore --policy-document ${shellWord(JSON.stringify(policy))}${at}`;
  return `Grant it: ${grant}. A Deny in the policy of the bucket overrides that: aws s3api get-bucket-policy --bucket ${bucket}${at}`;
}

/** Whether commands for AWS itself need no endpoint. */
const isAws = (endpoint: string): boolean => new URL(endpoint).hostname.endsWith('.amazonaws.com');
