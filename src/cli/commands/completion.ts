import { Argument } from 'commander';
import type { CommandDetails, Program } from '../command.js';
import type { Context } from '../context.js';

export const command: CommandDetails = {
  arguments: [new Argument('<shell>', 'The shell').choices(['bash', 'zsh', 'fish'])],
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/imgstore',
    'completion zsh > ~/.zfunc/_imgstore',
    'completion fish > ~/.config/fish/completions/imgstore.fish',
  ],
  run: printCompletion,
};

/** Prints a script that the shell reads once; Tab starts no process. */
export async function printCompletion(
  { ui }: { readonly ui: Pick<Context['ui'], 'result'> },
  { shell }: { shell: string },
  everything: () => Promise<Program>,
): Promise<void> {
  const { completionOf } = await import('../completion/model.js');
  const scripts = new Map([
    ['bash', (await import('../completion/bash.js')).bashScript],
    ['zsh', (await import('../completion/zsh.js')).zshScript],
    ['fish', (await import('../completion/fish.js')).fishScript],
  ]);
  const completion = await completionOf(await everything());
  const script = scripts.get(shell)?.(completion) ?? '';
  ui.result({ document: { shell, script }, text: script.trimEnd() });
}
