import { useState } from 'preact/hooks';
import { remember, remembered } from '../../core/remembered';

/** Whether the panel is a sheet over the lower part of the window. */
export const isSheet = (): boolean => matchMedia('(width < 48rem)').matches;

const isWide = (): boolean => matchMedia('(width >= 64rem)').matches;

/** Whether the panel is open. On narrow screens it covers the picture, so that it begins closed. */
export function useDetails(): readonly [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(() => isWide() && remembered('details') !== 'closed');
  const toggle = (): void => {
    setOpen(!open);
    if (isWide()) remember('details', open ? 'closed' : 'open');
  };
  return [open, toggle];
}
