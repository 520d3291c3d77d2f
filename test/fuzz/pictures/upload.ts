import type { ErrorCode } from '../../../src/base/errors/catalogue.js';
import { answersIn } from '../harness/answers.js';
import { exchange } from '../../../testkit/exchange.js';
import { codeIn, complaintAbout } from '../harness/check-response.js';
import type { Tally } from '../../../testkit/tally.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { Member } from '../../../testkit/world.js';
import type { Trial } from '../harness/trials.js';
import { authorization, bytesOf } from '../../../testkit/wire-request.js';
import { multipartEncoded } from '../requests/encodings.js';

/** The allowed results of uploading a file that may not be a picture. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['unsupported_image', 'corrupt_image', 'image_too_large', 'image_too_complex'] as const),
  'unavailable',
]);

/** Signals that mean that a program has crashed. */
const crash = /SIG(SEGV|ABRT|BUS|ILL|FPE)/;

/** Maximum time for a small file, including the wait for others. */
const limitMs = 90_000;

export interface Uploading {
  readonly target: Appliance;
  readonly tally: Tally;
  readonly user: Member;
}

/** Uploads an arbitrary file. @param sound whether it must be accepted. */
export function upload(
  { target, tally, user }: Uploading,
  name: string,
  picture: Uint8Array,
  sound = false,
): Trial {
  const { type = '', body } = multipartEncoded([], { name: 'image_data', bytes: picture });
  const headers = [authorization(['User', user.token]), ['Content-Type', type] as const];
  const path = `/api/v1/users/${user.id}/images`;
  const sent = bytesOf({ method: 'POST', path, headers, body });
  return {
    name,
    sent: picture,
    run: async () => {
      const reported = target.log.length;
      const { bytes, how } = await exchange(target.port, { chunks: [sent], limitMs });
      if (how === 'late') return `no answer in ${limitMs / 1000} s`;
      const crashed = crash.exec(target.log.slice(reported));
      if (crashed) return `the imaging process died of ${crashed[0]} meanwhile`;
      const [answer] = answersIn(bytes);
      if (!answer) return 'no answer';
      const code = answer.status === 200 ? 'accepted' : codeIn(answer);
      tally.note(code);
      if (sound && answer.status !== 200) return `${answer.status} ${code} for a sound picture`;
      if (answer.status !== 200 && !refusals.has(code)) return `${answer.status} ${code}`;
      return complaintAbout(answer);
    },
  };
}
