import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNote } from '../../components/ErrorNote';
import { Shareable } from '../../components/Shareable';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import { useSaving } from '../../core/use-saving';
import type { Account } from './accounts';

interface PhoneSignInProps {
  readonly account: Account;
  /** The link may have been used by now. */
  readonly onDone: () => void;
}

/** Makes a link that signs a user in on another device, as a QR code for one that is beside this screen. */
export function PhoneSignIn({ account: { id, platform_user_id: name }, onDone }: PhoneSignInProps) {
  const [url, setUrl] = useState<string>();
  const saving = useSaving();
  const make = (): void =>
    saving.save(async () => {
      const params = { path: { user_id: id } };
      setUrl(
        (await call((client) => client.POST('/api/v1/users/{user_id}/sign-in', { params }))).url,
      );
    });
  const close = (): void => {
    setUrl(undefined);
    onDone();
  };
  return (
    <>
      <Button icon="phone" busy={saving.busy} onClick={make}>
        {t('sessions.phone')}
      </Button>
      <ErrorNote problem={saving.problem} onRetry={make} />
      {url !== undefined && (
        <Dialog title={t('sessions.phoneTitle', { name })} onClose={close}>
          <p>{t('sessions.phoneText')}</p>
          <Shareable url={url} title={null} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
