import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ConfirmButton } from '../../components/ConfirmDialog';
import { CreateButton } from '../../components/CreateButton';
import { Dialog } from '../../components/Dialog';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Shareable } from '../../components/Shareable';
import { toast } from '../../components/Toast';
import { t } from '../../core/i18n';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { libraryOf } from '../library/library';
import { LinkDialog } from './LinkDialog';
import { LinkEntry } from './LinkEntry';
import { endLink, readLinks, setPaused } from './requests';
import type { Link } from './requests';

/** The links that a user has given to people without an account. */
export default function Links({ params }: PageProps) {
  if (session.value === undefined) return null;
  return <LinksOf access={accessTo(params.user)} />;
}

function LinksOf({ access }: { readonly access: Access }) {
  const { changes } = libraryOf(access);
  const { data, problem, again } = useRead(
    (signal) => readLinks(access, signal),
    [access, changes.value],
  );
  const [shown, setShown] = useState<Link>();
  const hide = (): void => setShown(undefined);
  const turn = async (id: string, paused: boolean): Promise<void> => {
    await setPaused(access, id, paused);
    again();
  };
  return (
    <>
      <header class="page-head">
        <h1>{t('links.heading')}</h1>
        <CreateButton label={t('links.ask')} onCreated={again}>
          {(onClose) => <LinkDialog access={access} onClose={onClose} />}
        </CreateButton>
      </header>
      <ErrorNote problem={problem} onRetry={again} />
      {data?.length === 0 && (
        <Empty icon="link" title={t('links.none')}>
          <p>{t('links.hint')}</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul class="entries card" aria-label={t('links.heading')}>
          {data.map((link) => (
            <LinkEntry key={link.id} link={link} turn={(paused) => turn(link.id, paused)}>
              {link.url !== null && (
                <Button onClick={() => setShown(link)}>{t('links.url')}</Button>
              )}
              <ConfirmButton
                title={t('links.endTitle')}
                text={t('links.endHint')}
                label={t('links.end')}
                act={async () => {
                  await endLink(access, link.id);
                  toast(t('links.ended'));
                  again();
                }}
              />
            </LinkEntry>
          ))}
        </ul>
      )}
      {shown && (
        <Dialog title={shown.title ?? t('links.url')} onClose={hide}>
          <Shareable url={shown.url ?? ''} title={shown.title} onClose={hide} />
        </Dialog>
      )}
    </>
  );
}
