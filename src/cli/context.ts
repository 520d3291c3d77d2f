import type { Command } from 'commander';
import { defaultHome, Home } from '../config/home.js';
import type { Settings } from '../config/load.js';
import { flaggedKeys, flagOf, options, variableOf } from '../config/options.js';
import type { OptionKey } from '../config/options.js';
import { metavarOf } from '../config/setting.js';
import { onInterruption } from './interrupt.js';
import { runAsOwner } from './run-as-owner.js';
import { requireHome, type Needs } from './require-home.js';
import { Ui } from './ui.js';

/** Shared by all commands. */
export interface Context {
  readonly ui: Ui;
  readonly home: Home;
  /** Values given as flags, by key. */
  readonly flags: Partial<Record<OptionKey, string>>;
  /** `--yes`: take defaults, ask nothing. */
  readonly yes: boolean;
  /** Aborted with `Interrupted` when the command must stop. */
  readonly interrupted: AbortSignal;
  /**
   * The effective settings. @throws OperatorError (78, or 2 for flags) that lists all mistakes, or
   * says that the home or the named file is missing.
   */
  settings(needs?: Needs): Promise<Settings>;
  /** @throws OperatorError (78) when what the command needs is missing. */
  checkHome(needs: Needs): Promise<void>;
}

/** What a command does; `options` are those of its own, by name. */
export type Action = (context: Context, options: never, args: string[]) => Promise<void>;

const attributeOf = (key: OptionKey): string =>
  flagOf(key)
    .slice(2)
    .replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Gives a command the flags of the settings; it loads and runs what it does with what they say. */
export function setAction(command: Command, load: () => Promise<Action>): void {
  command.optionsGroup(
    'Settings (also environment variables and config.yaml; see docs/configuration.md):',
  );
  for (const key of flaggedKeys) {
    const setting = options[key];
    const usage = `${flagOf(key)} <${metavarOf(setting)}>`;
    command.option(usage, `${setting.about} (${variableOf(key)})`);
  }
  command.action(async (...given: unknown[]) => {
    const args = given.slice(0, -2) as string[];
    const parsed = command.opts<CommonFlags>();
    const context = contextOf(parsed);
    const owner = await runAsOwner(context.home);
    if (owner !== undefined) {
      context.ui.progress(`Running as the owner of ${context.home.dir} (uid ${owner})`);
    }
    const action = await load();
    context.interrupted.throwIfAborted();
    await action(context, parsed as never, args);
  });
}

interface CommonFlags {
  home?: string;
  config?: string;
  json?: boolean;
  yes?: boolean;
}

/**
 * The two variables belong together: a --home flag overrides both, since the variable's config file
 * belongs to the variable's home.
 */
function homeOf(flags: CommonFlags, env: NodeJS.ProcessEnv): Home {
  const usual = new Home(env.IMGSTORE_HOME || defaultHome(), flags.config ?? env.IMGSTORE_CONFIG);
  const named = new Home(flags.home ?? usual.dir, flags.config);
  return named.dir === usual.dir ? usual : named;
}

function contextOf(parsed: CommonFlags): Context {
  const home = homeOf(parsed, process.env);
  const ui = new Ui(parsed.json === true);
  const given = parsed as Record<string, string | undefined>;
  const flags = Object.fromEntries(
    flaggedKeys.flatMap((key) => {
      const value = given[attributeOf(key)];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  return {
    ui,
    home,
    flags,
    yes: parsed.yes === true,
    interrupted: onInterruption(),
    checkHome: (needs) => requireHome(home, needs),
    settings: async (needs = 'home') => {
      await requireHome(home, needs);
      // Reads YAML, which --help has no need of.
      const { loadSettings } = await import('../config/load.js');
      const { unknownVariables } = await import('../config/variables.js');
      for (const sentence of unknownVariables(process.env)) ui.warn(sentence);
      return loadSettings({ flags, env: process.env, home });
    },
  };
}
