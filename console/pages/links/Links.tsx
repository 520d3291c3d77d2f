import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Table } from '../../components/Table';
import { toast } from '../../components/Toast';
import { day, time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';
import type { Access } from '../library/access';
import { libraryOf } from '../library/library';
import { EndDialog } from './EndDialog';
import { readLinks, setPaused } from './requests';
import type { Link } from './requests';
import './links.css';

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
  const [failure, setFailure] = useState<unknown>();
  const [ending, setEnding] = useState<Link>();
  const pause = ({ id, state }: Link): void => {
    setFailure(undefined);
    setPaused(access, id, state === 'active').then(again, setFailure);
  };
  return (
    <>
      <h1>{t('links.heading')}</h1>
      <ErrorNote problem={problem ?? failure} onRetry={again} />
      {data?.length === 0 && (
        <Empty icon="link" title={t('links.none')}>
          <p>{t('links.hint')}</p>
        </Empty>
      )}
      {data && data.length > 0 && <LinkTable links={data} onPause={pause} onEnd={setEnding} />}
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

interface LinkTableProps {
  readonly links: readonly Link[];
  readonly onPause: (link: Link) => void;
  readonly onEnd: (link: Link) => void;
}

/** What a link is called that has no title. */
const nameOf = ({ title, created_at: created }: Link): string =>
  title ?? t('links.untitled', { time: time(created) });

function LinkTable({ links, onPause, onEnd }: LinkTableProps) {
  return (
    <Table
      label={t('links.heading')}
      rows={links}
      keyOf={({ id }) => id}
      columns={[
        { title: t('links.title'), share: 3, cell: nameOf },
        {
          title: t('links.kind'),
          share: 2,
          minor: true,
          cell: ({ kind }) => t(`links.kind.${kind}`),
        },
        { title: t('links.state'), cell: (link) => <State link={link} /> },
        { title: t('links.visits'), numeric: true, cell: ({ visits }) => number(visits) },
        { title: t('links.expires'), minor: true, cell: ({ expires_at: end }) => day(end) },
        {
          title: t('links.actions'),
          share: 2,
          cell: (link) => (
            <span class="link-actions">
              {link.state !== 'expired' && (
                <Button variant="quiet" onClick={() => onPause(link)}>
                  {t(link.state === 'active' ? 'links.pause' : 'links.resume')}
                </Button>
              )}
              <Button variant="quiet" onClick={() => onEnd(link)}>
                {t('links.end')}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}

function State({ link: { state, has_password: hasPassword } }: { readonly link: Link }) {
  return (
    <span class={`link-state ${state}`}>
      {t(`links.state.${state}`)}
      {hasPassword && ` · ${t('links.withPassword')}`}
    </span>
  );
}
