// The reader's choices are stored in this browser. The token of a session never is: only its tab keeps
// it, until the tab is closed.

type Choice = 'language' | 'theme' | 'tile' | 'group' | 'look' | 'details' | 'stays';

const nameOf = (choice: Choice): string => `imgstore.${choice}`;

/** Uses a storage, which browsers may refuse to a page: nothing is kept then. */
function allowed<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

export const remembered = (choice: Choice): string | null =>
  allowed(() => localStorage.getItem(nameOf(choice)));

export const remember = (choice: Choice, value: string): void =>
  void allowed(() => localStorage.setItem(nameOf(choice), value));

export const forgetChoice = (choice: Choice): void =>
  void allowed(() => localStorage.removeItem(nameOf(choice)));

const tokenName = 'imgstore.token';

export const keptToken = (): string | null => allowed(() => sessionStorage.getItem(tokenName));

export const keepToken = (token: string): void =>
  void allowed(() => sessionStorage.setItem(tokenName, token));

export const forgetToken = (): void => void allowed(() => sessionStorage.removeItem(tokenName));
