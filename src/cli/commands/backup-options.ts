import { wrongUsage } from '../../base/errors/operator.js';

export interface BackupOptions {
  readonly keep?: string;
  readonly withSecrets?: boolean;
  readonly copy?: boolean;
  readonly platform?: string;
  readonly scratch?: string;
  readonly wal?: boolean;
}

/** How many backups to keep; all if omitted. @throws OperatorError 2. */
export function parseKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw wrongUsage(`--keep must be a whole number from 1 to 99999, not ${text}.`, {
    setting: '--keep',
  });
}
