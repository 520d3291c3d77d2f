const focusable = '[tabindex], a[href], :enabled';
/** Lists whose arrow keys lead on from where something in or beside them has gone. */
const lists = '[role=grid][tabindex="0"], [role=treeitem][tabindex="0"]';
/** When nothing is left: the page, or the field that asks for a token. */
const beginnings = '#page, [autofocus]';

/**
 * When what has the focus goes, or is disabled, browsers give it to nothing, and the next key begins at
 * the top of the document. This gives it to what is nearest around it.
 */
export function keepFocus(): void {
  let around: readonly Element[] = [];
  const note = ({ target }: Event): void => {
    around = target instanceof Element ? [...withAncestors(target)] : [];
  };
  const keep = (): void => {
    const { activeElement: now, body } = document;
    if (around.length === 0 || (now && now !== body && !now.matches(':disabled'))) return;
    const next = nearest(around) ?? document.querySelector<HTMLElement>(beginnings);
    next?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', note);
  // A click beside everything gives it to nothing on purpose.
  document.addEventListener('pointerdown', () => (around = []), { capture: true });
  const watched = { childList: true, subtree: true, attributeFilter: ['disabled'] };
  new MutationObserver(keep).observe(document.body, watched);
}

function* withAncestors(from: Element): Generator<Element> {
  for (let node: Element | null = from; node; node = node.parentElement) yield node;
}

function nearest(around: readonly Element[]): HTMLElement | undefined {
  for (const node of around) {
    if (!node.isConnected) continue;
    const next = node.matches(focusable) ? node : node.querySelector(lists);
    if (next instanceof HTMLElement) return next;
  }
  return undefined;
}
