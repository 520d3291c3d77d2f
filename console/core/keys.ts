/** What of an event says which key was pressed. */
type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/**
 * The key of a shortcut: its letter on a Latin keyboard, also while it writes Hangul or another script.
 * What is typed is in `event.key`.
 */
export function shortcutOf({ key, code, shiftKey }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter === undefined || /^[a-z]$/i.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}
