import { Button } from '../../../components/Button';
import { Icon } from '../../../components/Icon';
import { t } from '../../../core/i18n';
import type { Version } from '../version';

interface VersionsProps {
  readonly versions: readonly Version[];
  /** Which of them the viewer shows. */
  readonly shown: string;
  readonly onShow: (id: string) => void;
  /** Compares one with the current one; the current one with the one before it. */
  readonly onCompare: (id: string) => void;
}

/** The versions of a picture, newest first: each can be seen, compared and saved. */
export function Versions({ versions, shown, onShow, onCompare }: VersionsProps) {
  const current = versions.at(-1)?.id;
  if (versions.length < 2) return null;
  return (
    <section class="part" aria-labelledby="versions">
      <h2 id="versions">{t('picture.versions')}</h2>
      <ol class="versions" reversed>
        {versions.toReversed().map(({ id, name, about, file, filename }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              {id === current && <span class="muted"> · {t('picture.current')}</span>}
              <p class="hint">{about.join(' · ')}</p>
            </div>
            <div class="row-actions">
              <Button
                variant="quiet"
                icon="eye"
                iconOnly
                pressed={id === shown}
                onClick={() => onShow(id)}
              >
                {t('picture.showVersion', { version: name })}
              </Button>
              <Button variant="quiet" icon="beside" iconOnly onClick={() => onCompare(id)}>
                {t('picture.compareVersion', { version: name })}
              </Button>
              <a
                class="button quiet icon-only"
                href={file}
                download={filename}
                title={t('picture.downloadVersion', { version: name })}
                aria-label={t('picture.downloadVersion', { version: name })}
              >
                <Icon name="download" />
              </a>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
