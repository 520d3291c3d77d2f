import { operatorName } from '../http/audit/acts.js';
import { defaultHome, Home } from '../base/config/home.js';
import type { Settings } from '../base/config/load.js';
import type { OptionKey } from '../base/config/options.js';
import { badConfiguration } from '../base/errors/operator.js';
import { onInterruption } from './interrupt.js';
import { requireHome, type Needs } from './require-home.js';
import { flagWords, givenSettings } from './setting-flags.js';
import { Ui } from './ui.js';

/** Shared by all commands. */
export interface Context {
  readonly ui: Ui;
  readonly home: Home;
  /** Whether a flag or variable names the home. */
  readonly homeGiven: boolean;
  /** Values given as flags, by key. */
  readonly flags: Partial<Record<OptionKey, string>>;
  /** `--yes`: accept defaults, ask nothing. */
  readonly yes: boolean;
  /** Who runs the command, even if it continues as the owner of the home. */
  readonly operator: string;
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

/** What a command does; `options` are its own, by name. */
export type Action = (context: Context, options: never, args: string[]) => Promise<void>;

/** Flags that every command takes. */
export interface CommonFlags {
  readonly home?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/**
 * The two variables belong together: a --home flag overrides both, since the variable's config file
 * belongs to the variable's home. @throws OperatorError 78 if none is named and there is no default.
 */
function homeOf(flags: CommonFlags, env: NodeJS.ProcessEnv): Home {
  const dir = env.IMGSTORE_HOME || (defaultHome(env) ?? flags.home);
  if (dir === undefined) {
    throw badConfiguration('This user has no home directory to keep the data of imgstore in.', {
      setting: 'home',
      remedy: 'name a directory: --home DIR, or the variable IMGSTORE_HOME',
    });
  }
  const usual = new Home(dir, flags.config ?? env.IMGSTORE_CONFIG);
  const named = new Home(flags.home ?? usual.dir, flags.config);
  return named.dir === usual.dir ? usual : named;
}

export function contextOf(parsed: CommonFlags): Context {
  const parts = {
    ui: new Ui(parsed.json === true),
    homeGiven: parsed.home !== undefined || !!process.env.IMGSTORE_HOME,
    flags: givenSettings(parsed as Readonly<Record<string, unknown>>),
    yes: parsed.yes === true,
    operator: operatorName(),
    interrupted: onInterruption(),
  };
  return inHome(parts, homeOf(parsed, process.env));
}

/** Arguments that make another command run in this context. */
export function contextArgs({ ui, home, flags, yes }: Context): string[] {
  const elsewhere = home.configFile !== new Home(home.dir).configFile;
  return [
    `--home=${home.dir}`,
    ...(elsewhere ? [`--config=${home.configFile}`] : []),
    ...(ui.json ? ['--json'] : []),
    ...(yes ? ['--yes'] : []),
    ...flagWords(flags),
  ];
}

/** The same context with another home. */
export function inHome(
  parts: Omit<Context, 'home' | 'settings' | 'checkHome'>,
  home: Home,
): Context {
  const checkHome = (needs: Needs): Promise<void> => requireHome(home, needs);
  const settings = async (needs: Needs = 'home'): Promise<Settings> => {
    await checkHome(needs);
    // Loaded late: it reads YAML, which --help does not need.
    const { loadSettings } = await import('../base/config/load.js');
    const { unknownVariables } = await import('../base/config/load.js');
    for (const sentence of unknownVariables(process.env)) parts.ui.warn(sentence);
    return loadSettings({ flags: parts.flags, env: process.env, home });
  };
  return { ...parts, home, settings, checkHome };
}
