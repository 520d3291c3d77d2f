import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { everything, queryOf } from './filters';

interface AuditLinkProps {
  /** For administrators: whose audit it is. */
  readonly platform: string | undefined;
  readonly user?: string;
}

/** Leads to what was done to a platform or a user. */
export function AuditLink({ platform = '', user = '' }: AuditLinkProps) {
  const query = queryOf({ ...everything, platform, user, content: user !== '' });
  return (
    <p>
      <a class="button" href={hrefOf(`/audit${query}`)}>
        <Icon name="audit" />
        {t('audit.of')}
      </a>
    </p>
  );
}
