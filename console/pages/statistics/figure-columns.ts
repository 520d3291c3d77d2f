import type { Column } from '../../components/Table';
import { t } from '../../core/i18n';
import { figures, formatOf, isCounted } from './figures';
import type { Statistics } from './figures';

/** A column for each figure. */
export const figureColumns = <Row>(statsOf: (row: Row) => Statistics): Column<Row>[] =>
  figures.map((figure) => ({
    title: t(`statistics.figure.${figure}`),
    numeric: true,
    // For the long words in their heads.
    share: isCounted(figure) ? 1 : 2,
    cell: (row) => formatOf(figure)(statsOf(row)[figure]),
  }));
