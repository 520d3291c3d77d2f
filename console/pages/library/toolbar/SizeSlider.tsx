import { t } from '../../../core/i18n';
import { chooseTileSize, tileSize, tileSizes } from '../../../core/tile-size';

/** How large pictures are; remembered in this browser. */
export function SizeSlider() {
  return (
    <input
      class="size-slider"
      type="range"
      {...tileSizes}
      value={tileSize.value}
      aria-label={t('library.tileSize')}
      title={t('library.tileSize')}
      onInput={({ currentTarget }) => chooseTileSize(Number(currentTarget.value))}
    />
  );
}
