import { signal } from '@preact/signals';
import { remember, remembered } from './remembered';

/** Bounds of the width of pictures in the library, in pixels. */
export const tileSizes = { min: 80, max: 320, step: 20 } as const;

/** On phones, three fit beside each other. */
const usual = innerWidth < 640 ? 120 : 180;

function chosen(): number {
  const size = Number(remembered('tile') ?? NaN);
  return size >= tileSizes.min && size <= tileSizes.max ? size : usual;
}

export const tileSize = signal(chosen());

export function chooseTileSize(size: number): void {
  tileSize.value = size;
  remember('tile', String(size));
}
