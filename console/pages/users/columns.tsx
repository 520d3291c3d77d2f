import type { Column } from '../../components/Table';
import { day } from '../../core/amounts';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { Suspended } from './Suspension';
import './users.css';

interface Listed {
  readonly id: string;
  readonly suspended_at?: string | null;
  readonly last_upload_at: string | null;
  readonly created_at: string;
}

/** The name of a platform or a user, which leads to a page. @param under its path, to which the id is added. */
export const nameColumn = <Row extends Listed>(
  title: string,
  sort: string,
  nameOf: (row: Row) => string,
  under: string,
): Column<Row> => ({
  title,
  share: 3,
  sort,
  cell: (row) => (
    <span class="user-name">
      <a href={hrefOf(`${under}/${row.id}`)}>{nameOf(row)}</a>
      <Suspended since={row.suspended_at ?? null} />
    </span>
  ),
});

export const dateColumns = <Row extends Listed>(lastUpload: string): Column<Row>[] => [
  {
    title: t('column.lastUpload'),
    minor: 'phones',
    share: 2,
    sort: lastUpload,
    cell: (row) => (row.last_upload_at ? day(row.last_upload_at) : '–'),
  },
  {
    title: t('column.created'),
    minor: 'tablets',
    share: 2,
    sort: 'created_at',
    cell: (row) => day(row.created_at),
  },
];
