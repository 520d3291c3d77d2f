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

/** A choice among a few, the first unless another one was made; remembered in this browser. */
function choiceOf<Value extends string>(
  name: 'group' | 'look',
  values: readonly [Value, ...Value[]],
) {
  const chosen = signal(values.find((value) => value === remembered(name)) ?? values[0]);
  const choose = (value: Value): void => {
    chosen.value = value;
    remember(name, value);
  };
  return { values, chosen, choose };
}

/** What the library names its pictures by. */
export const grouping = choiceOf('group', ['day', 'month', 'folder']);
/** How it shows them. */
export const look = choiceOf('look', ['tiles', 'table']);
