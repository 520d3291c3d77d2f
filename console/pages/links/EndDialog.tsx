import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { useSaving } from '../../core/use-saving';
import type { Access } from '../library/access';
import { endLink } from './requests';
import type { Link } from './requests';

interface EndDialogProps {
  readonly access: Access;
  readonly link: Link;
  readonly onClose: () => void;
  readonly onEnd: () => void;
}

/** Asks before a link ends: its URL works never again. */
export function EndDialog({ access, link, onClose, onEnd }: EndDialogProps) {
  const { busy, problem, save } = useSaving();
  const end = (): void =>
    save(async () => {
      await endLink(access, link.id);
      onEnd();
    });
  return (
    <Dialog title={t('links.endTitle')} onClose={onClose}>
      <p>{t('links.endHint')}</p>
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="danger" busy={busy} onClick={end}>
          {t('links.end')}
        </Button>
      </div>
    </Dialog>
  );
}
