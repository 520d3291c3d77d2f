import type { FindingReport } from '../ops/verify/findings.js';
import type { Verified } from '../ops/verify/verify.js';
import type { VerifiedMaps } from '../ops/verify/database.js';
import { commandLine } from '../base/os/command-line.js';
import { counted, sizeText } from '../base/units.js';

/** A verification for people: what is wrong, what was done, what to do. */
export function describeVerified(verified: Verified & { readonly maps: VerifiedMaps }): string {
  const { differences, differences_total: objects, ok, maps } = verified;
  const total = objects + maps.differences_total;
  const more = objects - differences.length;
  const remedies = [...new Set([...differences.map(({ remedy }) => remedy), ...mapRemedies(maps)])];
  return [
    ...differences.map(line),
    ...(more > 0 ? [`… and ${more.toLocaleString('en')} more.`] : []),
    ...maps.users.map((user) => `${'map'.padEnd(17)} user ${user}: ${mapState(maps)}`),
    ...done(verified),
    ok
      ? `Everything is in its place: ${scope(verified)}.`
      : `${counted(total, 'difference')}; ${scope(verified)}.`,
    ...remedies.map((remedy) => `Remedy: ${remedy}`),
  ].join('\n');
}

const mapState = ({ rebuilt }: VerifiedMaps): string =>
  rebuilt > 0 ? 'rebuilt from the images' : 'differs from the images';

const mapRemedies = ({ ok, rebuilt }: VerifiedMaps): string[] =>
  ok || rebuilt > 0 ? [] : [`Run "${commandLine('verify', '--repair')}", which rebuilds maps.`];

function line({ kind, key, image_id: image, user_id: user, ...rest }: FindingReport): string {
  const { expected, found, reason } = rest;
  const whose = image === null ? '' : `image ${image}, user ${user}: `;
  const bytes =
    expected === null || found === null ? '' : `, ${found} bytes instead of ${expected}`;
  return `${kind.padEnd(17)} ${whose}${key}${bytes}${reason === null ? '' : ` (${reason})`}`;
}

function done({ quarantined, put_back: back }: Verified): string[] {
  return [
    ...(back.objects > 0
      ? [`Put back ${counted(back.objects, 'object')} from quarantine that rows refer to.`]
      : []),
    ...(quarantined.objects > 0
      ? [
          `Moved ${counted(quarantined.objects, 'object')} (${sizeText(quarantined.bytes)}) into quarantine; see: ${commandLine('quarantine', 'list')}`,
        ]
      : []),
  ];
}

function scope({ versions, objects, young_objects: young, contents }: Verified): string {
  return [
    counted(versions, 'stored version'),
    counted(objects, 'object'),
    ...(young > 0 ? [`${young.toLocaleString('en')} too young to judge`] : []),
    ...(contents
      ? [
          `${sizeText(contents.bytes)} of ${counted(contents.versions, 'version')} read${contents.round_ended ? '' : '; the next run continues from there'}`,
        ]
      : []),
  ].join(', ');
}
