import { Button } from '../../components/Button';
import { Icon } from '../../components/Icon';
import { Menu } from '../../components/Menu';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { uploadName } from '../library/download-name';
import type { Image } from './record';
import type { Neighbors } from './use-neighbors';

interface TopBarProps {
  readonly title: string;
  readonly image: Image | undefined;
  readonly neighbors: Neighbors | undefined;
  /** The path of the page that closing leads to, and what does it. */
  readonly back: string;
  readonly onLeave: () => void;
  readonly details: boolean;
  readonly onDetails: () => void;
  readonly onShare: () => void;
  /** Undefined until the picture can be drawn on. */
  readonly onMarkUp: (() => void) | undefined;
  readonly onTrash: (into: boolean) => void;
  /** Asks before it is deleted for good. */
  readonly onDelete: () => void;
}

/** What can be done with the open picture, and the way back. */
export function TopBar(props: TopBarProps) {
  const { title, image, neighbors, back, onLeave, details, onDetails, onTrash, onDelete } = props;
  const trashed = Boolean(image?.delete_at);
  return (
    <header class="viewer-bar">
      <a
        class="button quiet icon-only"
        href={hrefOf(back)}
        title={t('picture.back')}
        aria-label={t('picture.back')}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onLeave();
        }}
      >
        <Icon name="close" />
      </a>
      <div class="viewer-title">
        <h1>{title}</h1>
        {neighbors?.listed && (
          <p class="muted">
            {t('picture.position', {
              n: number(neighbors.at + 1),
              of: number(neighbors.images.total),
            })}
          </p>
        )}
      </div>
      {image && (
        <div class="viewer-actions">
          {!trashed && (
            <>
              <Button
                variant="quiet"
                icon="edit"
                iconOnly
                disabled={!props.onMarkUp}
                onClick={() => props.onMarkUp?.()}
              >
                {t('markUp.title')}
              </Button>
              <Button variant="quiet" icon="share" iconOnly onClick={props.onShare}>
                {t('links.share')}
              </Button>
            </>
          )}
          <a
            class="button quiet icon-only"
            href={image.org_path_url}
            download={uploadName(image)}
            title={t('picture.download')}
            aria-label={t('picture.download')}
          >
            <Icon name="download" />
          </a>
          {trashed ? (
            <>
              <Button icon="restore" onClick={() => onTrash(false)}>
                {t('action.restore')}
              </Button>
              <Menu
                label={t('picture.more')}
                icon="more"
                groups={[[{ label: t('action.deleteNow'), icon: 'trash', act: onDelete }]]}
              />
            </>
          ) : (
            <Button variant="quiet" icon="trash" iconOnly onClick={() => onTrash(true)}>
              {t('action.trash')}
            </Button>
          )}
          <Button variant="quiet" icon="info" iconOnly pressed={details} onClick={onDetails}>
            {t('picture.details')}
          </Button>
        </div>
      )}
    </header>
  );
}
