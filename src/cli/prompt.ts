interface Base {
  readonly message: string;
}

type Question = Base &
  (
    | { readonly type: 'confirm'; readonly default: boolean }
    | {
        readonly type: 'input' | 'password';
        readonly default?: string;
        readonly validate?: (text: string) => true | string;
      }
    | { readonly type: 'select'; readonly choices: readonly Choice<unknown>[] }
  );

/** One of several answers. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** Shown while this answer is the current one. */
  readonly description?: string;
}

/**
 * Asks one question on stderr, like all output that is not a result, so that it is visible even if
 * stdout is redirected. Rejects when `interrupted` or Ctrl-C ends the command.
 */
export async function prompt<T>(question: Question, interrupted: AbortSignal): Promise<T> {
  // Loaded only when there is a question: loading takes longer than the rest of a command.
  const { default: inquirer } = await import('inquirer');
  const ask = inquirer.createPromptModule({ signal: interrupted, output: process.stderr });
  const { answer } = await ask<{ answer: T }>([{ ...question, name: 'answer' }]);
  return answer;
}
