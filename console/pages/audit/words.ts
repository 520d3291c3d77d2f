import { size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { Problem, wordsOf } from '../../core/problem';
import type { MessageKey } from '../../core/i18n';
import { en } from '../../messages/en';
import { jobInWords } from '../overview/jobs';
import { allowInWords } from '../tokens/allow';
import type { AuditEntry } from './audit';

export const things = [
  'image',
  'version',
  'folder',
  'memo',
  'custom',
  'upload_set',
  'user',
  'link',
] as const;
const changes = ['created', 'updated', 'moved', 'restored', 'trashed', 'deleted'] as const;

const isKey = (key: string): key is MessageKey => key in en;

/** Acts of administrators and platforms, by their names in the API. */
const acts = Object.keys(en)
  .filter((key) => key.startsWith('act.'))
  .map((key) => key.slice('act.'.length));

/** What a platform cannot see, since it concerns the installation. */
const ofInstallation = /^(admin\.|console\.link|keys\.|store\.|job\.)/;

/** The acts that a reader can choose from: changes of content need a platform or a user. */
export function actsFor(isOwn: boolean, content: boolean): string[] {
  const own = isOwn ? acts.filter((act) => !ofInstallation.test(act)) : acts;
  const told = content ? things : (['user'] as const);
  return [...own, ...told.flatMap((thing) => changesOf(thing).map((word) => `${thing}.${word}`))];
}

export function changesOf(thing: (typeof things)[number]): readonly string[] {
  if (thing === 'image' || thing === 'folder') return changes;
  return thing === 'version' ? ['created'] : ['created', 'updated', 'deleted'];
}

/** What was done, in words; a name that this console does not know yet stays as it is. */
export function actInWords(act: string): string {
  const key = `act.${act}`;
  if (isKey(key)) return t(key as 'act.user.suspend');
  const [word = '', did = ''] = act.split('.');
  const [thing, change] = [things.find((one) => one === word), changes.find((one) => one === did)];
  if (!thing || !change) return act;
  return t('audit.change', { thing: t(`thing.${thing}`), change: t(`change.${change}`) });
}

export const actors = ['operator', 'admin', 'platform', 'user', 'system'] as const;

/** Who did it. */
export function actorInWords({ actor, operator }: Pick<AuditEntry, 'actor' | 'operator'>): string {
  if (operator !== null) return t('actor.named', { name: operator });
  const known = actors.find((one) => one === actor);
  return known ? t(`actor.${known}`) : actor;
}

/** The image that an entry is about. */
export const imageIn = ({ act, details }: AuditEntry): string | undefined => {
  const id = act.startsWith('image.') ? details?.id : details?.image_id;
  return typeof id === 'string' && act !== 'image.deleted' ? id : undefined;
};

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? t('users.noLimit') : JSON.stringify(value);
const count = (value: unknown): string => (typeof value === 'number' ? number(value) : text(value));

/** What details say to a reader; the ids among them say nothing beside the names of whom an entry concerns. */
const told = new Map<string, (value: unknown) => string>([
  ['name', text],
  ['before', (value) => t('detail.before', { value: text(value) })],
  ['after', (value) => t('detail.after', { value: text(value) })],
  ['from', (value) => t('detail.before', { value: text(value) })],
  ['to', (value) => t('detail.after', { value: text(value) })],
  [
    'bytes',
    (value) =>
      t('detail.storage', {
        value: typeof value === 'number' ? size(value / 1_048_576) : text(value),
      }),
  ],
  ['max_storage_mb', (value) => (typeof value === 'number' ? size(value) : text(value))],
  ['images', (value) => t('detail.images', { value: count(value) })],
  ['users', (value) => t('detail.users', { value: count(value) })],
  ['code', (value) => wordsOf(new Problem(text(value), text(value))).title],
  ['kind', (value) => (value === 'view' || value === 'request' ? t(`links.kind.${value}`) : '')],
  ['job', (value) => jobInWords(text(value).replaceAll('-', ' '))],
  ['allow', (value) => (Array.isArray(value) ? allowInWords(value.map(String)) : text(value))],
  ['revoked_old', (value) => (value === true ? t('detail.revokedOld') : '')],
]);

export const detailsInWords = ({ details }: AuditEntry): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => told.get(name)?.(value) ?? '')
    .filter(Boolean)
    .join(' · ');
