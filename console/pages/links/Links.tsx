import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { toast } from '../../components/Toast';
import { t } from '../../core/i18n';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { libraryOf } from '../library/library';
import { EndDialog } from './EndDialog';
import { LinkEntry } from './LinkEntry';
import { readLinks, setPaused } from './requests';
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
  const [ending, setEnding] = useState<Link>();
  const turn = async (id: string, paused: boolean): Promise<void> => {
    await setPaused(access, id, paused);
    again();
  };
  return (
    <>
      <h1>{t('links.heading')}</h1>
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
              <Button onClick={() => setEnding(link)}>{t('links.end')}</Button>
            </LinkEntry>
          ))}
        </ul>
      )}
      {ending && (
        <EndDialog
          access={access}
          link={ending}
          onClose={() => setEnding(undefined)}
          onEnd={() => {
            setEnding(undefined);
            toast(t('links.ended'));
            again();
          }}
        />
      )}
    </>
  );
}
