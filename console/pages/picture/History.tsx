import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import type { Version } from './version';

/** The versions of a picture, oldest first; each can be downloaded. */
export function History({ versions }: { readonly versions: readonly Version[] }) {
  return (
    <section class="part versions" aria-labelledby="history">
      <h2 id="history">{t('picture.history')}</h2>
      <ol class="history">
        {versions.map(({ id, name, about, url, filename }, index) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              {index === versions.length - 1 && (
                <span class="muted"> · {t('picture.current')}</span>
              )}
              <p class="hint">{about.join(' · ')}</p>
            </div>
            <a
              class="button quiet icon-only"
              href={url}
              download={filename}
              title={t('picture.downloadVersion', { version: name })}
              aria-label={t('picture.downloadVersion', { version: name })}
            >
              <Icon name="download" />
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
