import { spanText, minuteMs, secondMs } from '../../../base/units.js';
import { bucketUrl } from '../../prepare-bucket.js';
import { bucketConfigOf } from '../../../store/s3/settings.js';
import { ok, problem, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';

const limitMs = 10 * secondMs;

/** S3 refuses requests that are off by 15 minutes. */
const noticeableMs = minuteMs;
const harmfulMs = 10 * minuteMs;

export const clockStore: Check = {
  name: 'clock-store',
  title: 'The clocks of this machine and of the S3 server agree',
  category: 'store',
  run: async (context) => {
    const { store } = await context.instance.get();
    if (store !== 's3') throw new Skip('the objects are in local files');
    const { endpoints, bucket: name } = bucketConfigOf(await context.config());
    const offsets = await Promise.all(endpoints.map((one) => aheadOf(bucketUrl({ name }, one))));
    const ahead = offsets.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
    const off = Math.abs(ahead);
    if (off < noticeableMs) return ok('They differ by less than a minute.');
    return (off < harmfulMs ? warning : problem)(
      `The clock of the S3 server is ${spanText(off / secondMs)} ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine; from 15 minutes it refuses all requests.`,
      'On both machines: timedatectl set-ntp true',
    );
  },
};

/** How far the clock of a server is ahead of ours, in milliseconds. @throws Skip */
async function aheadOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(limitMs) });
    const there = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(there)) throw new Skip('the S3 server does not report its time');
    return there - Date.now();
  } catch (error) {
    throw error instanceof Skip ? error : new Skip('the S3 server does not answer');
  }
}
