import { effect, signal } from '@preact/signals';
import { remember, remembered } from './remembered';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const isTheme = (word: string | null): word is Theme => themes.some((theme) => theme === word);

const chosen = remembered('theme');

/** `system` follows what the browser prefers. */
export const theme = signal<Theme>(isTheme(chosen) ? chosen : 'system');

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  remember('theme', choice);
}

/** The style sheet takes the colors of a theme from `color-scheme` (styles/tokens.css). */
export const followTheme = (): unknown =>
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });

const dark = matchMedia('(prefers-color-scheme: dark)');
const prefersDark = signal(dark.matches);
dark.addEventListener('change', () => (prefersDark.value = dark.matches));

/** For components that draw by themselves, such as charts and maps. */
export const isDark = (): boolean =>
  theme.value === 'system' ? prefersDark.value : theme.value === 'dark';

/**
 * A color of the style sheet, such as `--accent`, as a canvas understands it.
 * @param within the element that it is for: the viewer of pictures is dark in every theme.
 */
export function colorOf(name: `--${string}`, within: HTMLElement = document.body): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
