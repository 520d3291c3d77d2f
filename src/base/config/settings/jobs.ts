import { byteSize, number, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const jobs = {
  'trash.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that images and folders stay in the trash before they are deleted; 0 keeps them forever',
    fallback: 30,
  }),
  'changes.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that entries of the change feed are kept; clients that were away for longer begin with a snapshot; 0 keeps them forever',
    fallback: 90,
  }),
  'changes.max_per_user': setting(wholeNumber(1_000, 1_000_000_000), {
    about:
      'Entries of the change feed that are kept of one user, checked hourly; the oldest are deleted early',
    fallback: 1_000_000,
  }),
  'audit.retention_days': setting(wholeNumber(0, 36_500), {
    about:
      'Days that acts of administrators are kept in the audit; 0 keeps them forever; for changes of records, changes.retention_days applies',
    fallback: 365,
  }),
  'idempotency.retention_hours': setting(wholeNumber(1, 8_760), {
    about: 'Hours for which a repeat of a request with the same Idempotency-Key is recognized',
    fallback: 72,
  }),
  'upload_sets.retention_days': setting(wholeNumber(0, 36_500), {
    about: 'Days after which an open upload set is deleted; 0 keeps it forever',
    fallback: 30,
  }),
  'idempotency.max_per_owner': setting(wholeNumber(1, 1_000_000_000), {
    about:
      'Maximum answers to requests with an Idempotency-Key that are kept per user or platform; further requests are refused with 429',
    fallback: 1_000_000,
  }),
  'idempotency.max_mb_per_owner': setting(number(0.001, 1_000_000), {
    about:
      'Maximum megabytes of these answers per user or platform; further requests are refused with 429',
    fallback: 256,
  }),
  'upload_sets.max_per_user': setting(wholeNumber(1, 1_000_000), {
    about: 'Maximum upload sets per user, open or complete',
    fallback: 10_000,
  }),
  'upload_sets.max_files_per_user': setting(wholeNumber(1, 1_000_000_000), {
    about: 'Maximum files expected by all upload sets of a user together',
    fallback: 1_000_000,
  }),
  'verify.bytes_per_night': setting(byteSize, {
    about:
      'Amount of stored files that one node reads each night, slowly, to check their hashes; 0 reads nothing',
    fallback: '20GB',
  }),
};
