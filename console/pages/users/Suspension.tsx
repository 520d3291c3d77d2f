import { ConfirmButton } from '../../components/ConfirmDialog';
import { toast } from '../../components/Toast';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import { t } from '../../core/i18n';

/** Says that a user or platform is suspended; nothing if not. */
export function Suspended({ since }: { readonly since: string | null }) {
  if (since === null) return null;
  return (
    <span class="tag bad" title={time(since)}>
      {t('users.suspended')}
    </span>
  );
}

interface SuspendButtonProps {
  readonly platform: string;
  /** A user of the platform; without one, the platform itself. */
  readonly user?: string;
  readonly name: string;
  readonly since: string | null;
  readonly onChange: () => void;
}

/** Suspends a user or a platform, or ends that; asks before. */
export function SuspendButton({ platform, user, name, since, onChange }: SuspendButtonProps) {
  const word = since === null ? 'suspend' : 'resume';
  const act = async (): Promise<void> => {
    await request(word, platform, user);
    toast(t(`suspension.${word}Done`, { name }));
    onChange();
  };
  return (
    <ConfirmButton
      title={t(`suspension.${word}Title`, { name })}
      text={t(`suspension.${word}${user === undefined ? 'Platform' : 'User'}`)}
      label={t(`suspension.${word}`)}
      act={act}
    />
  );
}

const request = (
  word: 'suspend' | 'resume',
  platform_id: string,
  user_id: string | undefined,
): Promise<unknown> =>
  user_id === undefined
    ? call<unknown>((client) =>
        client.POST(`/api/v1/platforms/{platform_id}/${word}`, {
          params: { path: { platform_id } },
        }),
      )
    : call<unknown>((client) =>
        client.POST(`/api/v1/platforms/{platform_id}/users/{user_id}/${word}`, {
          params: { path: { platform_id, user_id } },
        }),
      );
