import { ensureInstalled } from '../installed.js';

/** Installs Ceph with its S3 gateway with apt if missing. @throws OperatorError 69. */
export const ensureCeph = (report: (message: string) => void): Promise<void> =>
  ensureInstalled(
    {
      purpose: 'The tests of the S3 store',
      programs: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph'],
      packages: ['radosgw', 'ceph-mon', 'ceph-osd'],
      otherwise: 'point IMGSTORE_TEST_S3_ENDPOINT at an S3 server (see CONTRIBUTING.md)',
    },
    report,
  );
