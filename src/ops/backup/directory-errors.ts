import {
  badConfiguration,
  dependencyDown,
  failure,
  wrongUsage,
} from '../../base/errors/operator.js';
import type { OperatorError } from '../../base/errors/operator.js';
import { errnoOf } from '../../base/os/system-error.js';

/** What prevents the use of a directory for backups, and how to fix it. */
export function explainDirectory(root: string, cause: unknown): OperatorError {
  const message = `The backup directory ${root} cannot be used: ${(cause as Error).message}`;
  const setting = 'DIR';
  switch (errnoOf(cause)) {
    case 'ENOENT':
      return failure(`There is no ${root}.`, {
        setting,
        remedy: 'Correct the path, or mount its file system.',
        cause,
      });
    case 'EEXIST':
    case 'ENOTDIR':
      return wrongUsage(message, {
        setting,
        remedy: 'Specify a directory; it need not exist yet.',
        cause,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return dependencyDown(message, {
        setting,
        remedy: `Free up space, or keep fewer generations (--keep): df -h '${root}'. Then run the same command again; it resumes from there.`,
        cause,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return badConfiguration(message, {
        setting,
        remedy: `Give it to the user that this runs as: sudo chown -R ${process.getuid?.()}:${process.getgid?.()} '${root}'`,
        cause,
      });
    default:
      return dependencyDown(message, { setting, remedy: `Check the disk: df -h '${root}'`, cause });
  }
}
