import { Check } from '../../components/Check';
import { t } from '../../core/i18n';

/** What tokens may be allowed to do: those of a user, and those of a platform. */
export const allowed = {
  user: ['read', 'upload', 'change', 'delete', 'links'],
  platform: ['read', 'upload', 'change', 'delete', 'links', 'users', 'webhooks', 'statistics'],
} as const;
export type Allowed = (typeof allowed)['platform'][number];

export const isAllowed = (word: string): word is Allowed =>
  allowed.platform.some((one) => one === word);

export const allowInWords = (words: readonly string[]): string =>
  words.map((word) => (isAllowed(word) ? t(`allow.${word}`) : word)).join(', ');

interface AllowChecksProps {
  readonly of: keyof typeof allowed;
  readonly allow: readonly Allowed[];
  readonly onChange: (allow: readonly Allowed[]) => void;
}

/** Asks what a token may do. */
export const AllowChecks = ({ of, allow, onChange }: AllowChecksProps) => (
  <fieldset class="checks">
    <legend>{t('narrow.allow')}</legend>
    {allowed[of].map((word) => (
      <Check
        key={word}
        label={t(`allow.${word}`)}
        checked={allow.includes(word)}
        onChange={(on) => onChange(on ? [...allow, word] : allow.filter((one) => one !== word))}
      />
    ))}
  </fieldset>
);
