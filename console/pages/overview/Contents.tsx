import { DescriptionList } from '../../components/DescriptionList';
import { size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { Card } from './card';
import type { Status } from './card';

export function Contents({ status: { totals } }: { readonly status: Status }) {
  return (
    <Card title={t('overview.contents')}>
      <DescriptionList
        variant="figures"
        items={[
          [t('overview.images'), number(totals.images)],
          [t('overview.stored'), size(totals.stored_mb)],
          [t('overview.users'), number(totals.users)],
          [t('overview.platforms'), number(totals.platforms)],
        ]}
      />
    </Card>
  );
}
