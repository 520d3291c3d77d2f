import { Icon } from '../../components/Icon';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { day } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { Account } from './accounts';
import { Quota } from './Quota';
import { Suspended } from './Suspended';

interface UserTableProps {
  readonly accounts: readonly Account[];
  readonly total: number;
  readonly onEnd: () => void;
  /** The path of a user's page, to which the id is added. */
  readonly under: string;
  /** Starts to change how much a user may store; undefined if the token may not. */
  readonly onQuota: ((account: Account) => void) | undefined;
}

const columns = ({ under, onQuota }: UserTableProps): Column<Account>[] => [
  {
    title: t('users.name'),
    share: 3,
    cell: (row) => (
      <span class="user-name">
        <a href={hrefOf(`${under}/${row.id}`)}>{row.platform_user_id}</a>
        <Suspended since={row.suspended_at} />
      </span>
    ),
  },
  {
    title: t('users.images'),
    share: 2,
    numeric: true,
    minor: true,
    cell: (row) => number(row.image_count),
  },
  {
    title: t('users.storage'),
    share: 3,
    cell: (row) => <Quota account={row} onEdit={onQuota && (() => onQuota(row))} />,
  },
  { title: t('column.created'), minor: true, share: 2, cell: (row) => day(row.created_at) },
];

/** A platform opens the libraries of its users; an administrator's token may not. */
const library = (): Column<Account> => ({
  title: t('library.title'),
  minor: true,
  cell: ({ id, platform_user_id: name }) => (
    <a
      class="button quiet icon-only"
      href={hrefOf(`/users/${id}/library`)}
      title={t('users.openLibraryOf', { name })}
      aria-label={t('users.openLibraryOf', { name })}
    >
      <Icon name="library" />
    </a>
  ),
});

export function UserTable(props: UserTableProps) {
  const { accounts, total, onEnd, onQuota } = props;
  return (
    <Table
      label={t('users.title')}
      rows={accounts}
      total={total}
      keyOf={({ id }) => id}
      columns={onQuota ? [...columns(props), library()] : columns(props)}
      onEnd={onEnd}
    />
  );
}
