import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completionOf, type Completion } from '../completion/model.js';
import { zshScript } from '../completion/zsh.js';
import type { Action } from '../context.js';
import type { Chapter } from '../entry.js';

const scripts = new Map<string, (completion: Completion) => string>([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

/** `imgstore completion SHELL`: prints a script that the shell reads once; Tab starts no process. */
export const completionPrinter =
  (chapters: readonly Chapter[]): Action =>
  async ({ ui }, _options, [shell = '']) => {
    const script = scripts.get(shell)?.(await completionOf(chapters)) ?? '';
    ui.result({ document: { shell, script }, text: script.trimEnd() });
  };
