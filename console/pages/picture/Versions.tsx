import { useState } from 'preact/hooks';
import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import { History } from './History';
import type { Image } from './record';
import { versionsOf } from './version';
import type { Version } from './version';

/** Two versions in one frame, with a movable line between them. */
export function Versions({ image }: { readonly image: Image }) {
  const versions = versionsOf(image);
  const [left, setLeft] = useState(versions[0]?.id ?? '');
  const [right, setRight] = useState(versions.at(-1)?.id ?? '');
  const [share, setShare] = useState(50);
  if (versions.length < 2) return null;
  const options = versions.map(({ id, label }) => ({ value: id, label }));
  const find = (id: string): Version | undefined => versions.find((version) => version.id === id);
  return (
    <>
      <section class="part versions">
        <h2>{t('picture.versions')}</h2>
        <div class="versions-choice">
          <Select label={t('picture.left')} value={left} options={options} onChange={setLeft} />
          <Select label={t('picture.right')} value={right} options={options} onChange={setRight} />
        </div>
        <div class="compared">
          <img src={find(right)?.url} alt={find(right)?.label} />
          <img
            src={find(left)?.url}
            alt={find(left)?.label}
            style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
          />
          <div class="compared-line" style={{ insetInlineStart: `${share}%` }} />
        </div>
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={t('picture.divide')}
          onInput={({ currentTarget }) => setShare(currentTarget.valueAsNumber)}
        />
      </section>
      <History versions={versions} />
    </>
  );
}
