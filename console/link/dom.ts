type Child = Node | string | undefined;

/** A new element with these properties and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A button, which is no submit button. */
export const button = (
  label: string,
  className: string,
  onclick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement => {
  const made = make('button', { type: 'button', className, onclick }, ...children);
  if (children.length === 0) made.textContent = label;
  else made.ariaLabel = label;
  return made;
};

/** What the page shows: all that it is about. */
export function show(...children: readonly Child[]): void {
  document.getElementById('link')?.replaceChildren(...children.filter((one) => one !== undefined));
}
