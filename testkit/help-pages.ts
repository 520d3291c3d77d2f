import type { Command } from 'commander';
import { chapters } from '../src/cli/commands.js';
import { settingsText } from '../src/cli/help-settings.js';
import { complete, loadProgram } from '../src/cli/program.js';

/** The help output of a command. */
export interface HelpPage {
  readonly words: readonly string[];
  readonly text: string;
}

/** The help pages of all commands on a terminal of this width, and that of the settings. */
export async function helpPages(width: number): Promise<HelpPage[]> {
  const { program, leaves } = await loadProgram(chapters);
  const pages: HelpPage[] = [];
  const print = async (command: Command, words: readonly string[]): Promise<void> => {
    const leaf = leaves.get(command);
    if (leaf?.hidden) return;
    if (leaf) await complete(command, leaf, true);
    let text = '';
    const writeOut = (chunk: string): void => void (text += chunk);
    command.configureOutput({ writeOut, getOutHelpWidth: () => width }).outputHelp();
    pages.push({ words: [...words, '--help'], text });
    for (const child of command.commands) await print(child, [...words, child.name()]);
  };
  await print(program, []);
  return [...pages, { words: ['help', 'settings'], text: `${settingsText(width)}\n` }];
}
