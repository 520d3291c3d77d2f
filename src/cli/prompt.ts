interface Question {
  readonly type: 'confirm' | 'input' | 'password';
  readonly message: string;
  readonly default?: string | boolean;
  readonly validate?: (text: string) => true | string;
}

/**
 * Asks a person one question: on stderr, as all that is not a result, so that it is seen where
 * stdout leads into a file. Rejects when `interrupted`, or Ctrl-C, ends the command.
 */
export async function prompt<T>(question: Question, interrupted: AbortSignal): Promise<T> {
  // Loaded only where a person is there to be asked: it takes longer than the rest of a command.
  const { default: inquirer } = await import('inquirer');
  const ask = inquirer.createPromptModule({ signal: interrupted, output: process.stderr });
  const { answer } = await ask<{ answer: T }>([{ ...question, name: 'answer' }]);
  return answer;
}
