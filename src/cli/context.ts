import { stat } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { defaultHome, Home } from '../base/config/home.js';
import type { Settings } from '../base/config/load.js';
import {
  knownFlags,
  flagOf,
  knownKeys,
  options,
  type Config,
  type OptionKey,
} from '../base/config/options.js';
import { metavarOf } from '../base/config/setting.js';
import { badConfiguration } from '../base/errors/operator.js';
import { commandLine, programName } from '../base/os/command-line.js';
import { errnoOf } from '../base/os/files.js';
import { run } from '../base/os/run.js';
import { onInterruption } from './interrupt.js';
import { Ui } from './ui.js';

/** The option of a setting, with the description of the setting. */
const optionOf = (key: OptionKey): Option =>
  new Option(`${flagOf(key)} <${metavarOf(options[key])}>`, options[key].about);

/** Gives a command the flags of all settings. @param shown the ones that its help lists. */
export function addSettingFlags(command: Command, shown: readonly OptionKey[]): void {
  const heading = `Settings (all of them: ${commandLine('help', 'settings')}):`;
  for (const key of shown) command.addOption(optionOf(key).helpGroup(heading));
  for (const key of knownFlags) {
    if (!shown.includes(key)) command.addOption(optionOf(key).hideHelp());
  }
}

/** The values of these flags, by key. */
function givenSettings(
  parsed: Readonly<Record<string, unknown>>,
): Partial<Record<OptionKey, string>> {
  return Object.fromEntries(
    knownFlags.flatMap((key) => {
      const value = parsed[optionOf(key).attributeName()];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** The settings that were given as flags, to be written to config.yaml. */
export const flaggedValues = ({ values, sources }: Settings): Partial<Pick<Config, OptionKey>> =>
  Object.fromEntries(
    knownKeys.filter((key) => sources[key] === 'flag').map((key) => [key, values[key]]),
  );

/** These values as command-line arguments. */
const flagWords = (given: Partial<Record<OptionKey, string>>): string[] =>
  knownFlags.flatMap((key) => (given[key] === undefined ? [] : [`${flagOf(key)}=${given[key]}`]));

/**
 * What must exist for a command. `home`: the home, and the file if it was named. `settings`, for
 * commands that only read settings: the home or the named file. `file`, for commands that also work
 * for other machines: the file if it was named. `nothing`: the command creates what is missing.
 */
type Needs = 'home' | 'settings' | 'file' | 'nothing';

/** @throws OperatorError (78) with the command that creates what is missing. */
async function requireHome(home: Home, needs: Needs): Promise<void> {
  if (needs === 'nothing') return;
  if (home.configNamed && !(await exists(home.configFile))) {
    throw badConfiguration(
      `There is no ${home.configFile}, which --config or IMGSTORE_CONFIG names.`,
      {
        setting: 'config',
        remedy: `Correct the path, or create the file: ${commandLine('init', '--home', home.dir, '--config', home.configFile)}`,
      },
    );
  }
  const fileIsEnough = needs === 'file' || (needs === 'settings' && home.configNamed);
  if (fileIsEnough || (await exists(home.dir))) return;
  throw badConfiguration(`${home.dir} is not an imgstore home yet.`, {
    setting: 'home',
    remedy: commandLine('init', '--home', home.dir),
  });
}

/** Any error but "no such file" is left to the code that reads the path. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(String(errnoOf(error))),
  );

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

export async function contextOf(parsed: CommonFlags): Promise<Context> {
  const { operatorName } = await import('../http/audit/acts.js'); // which help does not need
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
    const { loadSettings, unknownVariables } = await import('../base/config/load.js');
    for (const sentence of unknownVariables(process.env)) parts.ui.warn(sentence);
    const settings = await loadSettings({ flags: parts.flags, env: process.env, home });
    settings.notices.forEach((sentence) => parts.ui.warn(sentence));
    return settings;
  };
  return { ...parts, home, settings, checkHome };
}

/**
 * As root with another user's home, continues as that user: files left there by root would lock the
 * owner out. The owner of a home is whoever owns its secrets.
 * @returns the owner that this process now runs as; undefined if nothing had to change.
 * @throws OperatorError (78) if root may not do that.
 */
export async function runAsOwner(home: Home): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = (await ownerOf(home.secrets)) ?? (await ownerOf(home.dir));
  if (!owner || owner.uid === 0) return undefined;
  const { uid } = owner;
  // The primary group comes first. A user without an account, as in containers, has no groups.
  const { code, stdout } = await run('id', ['-G', '--', String(uid)]);
  const groups = code === 0 ? stdout.trim().split(' ').map(Number) : [owner.gid];
  try {
    process.setgroups?.(groups);
    process.setgid?.(groups[0] ?? owner.gid);
    process.setuid?.(uid);
  } catch (cause) {
    throw badConfiguration(`${home.dir} belongs to another user (uid ${uid}).`, {
      setting: 'home',
      remedy: `Run the command as that user: sudo -u '#${uid}' ${programName()} …`,
      cause,
    });
  }
  return uid;
}

const ownerOf = (path: string) => stat(path).catch(() => undefined);
