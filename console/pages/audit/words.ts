import { t } from '../../core/i18n';
import type { MessageKey } from '../../core/i18n';
import { en } from '../../messages/en';
import type { AuditEntry } from './use-audit';

const things = [
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
const ofInstallation = /^(admin|console|keys|store|job)\./;

/** The acts that a reader can choose from: changes of content need a platform or a user. */
export function actsFor(isOwn: boolean, content: boolean): string[] {
  const own = isOwn ? acts.filter((act) => !ofInstallation.test(act)) : acts;
  const told = content ? things : (['user'] as const);
  return [...own, ...told.flatMap((thing) => changesOf(thing).map((word) => `${thing}.${word}`))];
}

function changesOf(thing: (typeof things)[number]): readonly string[] {
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

/** Ids beside the names of whom an entry concerns say nothing to a reader. */
const unsaid = new Set(['id', 'seq', 'image_id', 'webhook', 'link']);

export const detailsInWords = ({ details }: AuditEntry): string =>
  Object.entries(details ?? {})
    .filter(([name, value]) => !unsaid.has(name) && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
