import { ensureInstalled } from './installed.js';

/** Installs the distribution's FFmpeg by apt: to code HEIC, and as its native decoder. */
export const ensureFfmpeg = (report: (message: string) => void): Promise<void> =>
  ensureInstalled(
    { purpose: 'Pictures in HEIC', programs: ['ffmpeg'], packages: ['ffmpeg'] },
    report,
  );
