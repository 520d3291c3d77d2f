// The reader's choices are stored in this browser. Tokens never are.

type Choice = 'language' | 'theme';

const nameOf = (choice: Choice): string => `imgstore.${choice}`;

export function remembered(choice: Choice): string | null {
  try {
    return localStorage.getItem(nameOf(choice));
  } catch {
    return null; // the browser keeps nothing for this page
  }
}

export function remember(choice: Choice, value: string): void {
  try {
    localStorage.setItem(nameOf(choice), value);
  } catch {
    // As above: the choice lasts only as long as the page.
  }
}
