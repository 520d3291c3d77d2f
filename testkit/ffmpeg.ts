import { ensureInstalled } from './installed.js';

/** Installs the distribution's FFmpeg with apt, to encode HEIC and as its native decoder. */
export const ensureFfmpeg = (report: (message: string) => void): Promise<void> =>
  ensureInstalled(
    { purpose: 'Pictures in HEIC', programs: ['ffmpeg'], packages: ['ffmpeg'] },
    report,
  );
