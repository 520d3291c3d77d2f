/** Exit codes of the command; 69 and 78 are from sysexits.h. */
export const ExitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** A comparison ran and found differences. */
  different: 3,
  dependencyDown: 69,
  badConfiguration: 78,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** One of several things that are wrong with the settings. */
export interface Mistake {
  /** The flag, variable, or key. */
  readonly setting: string;
  readonly source: 'flag' | 'environment' | 'file';
  /** The full message, with the setting and its location. */
  readonly message: string;
  /** Line of the file. */
  readonly line?: number;
}

/**
 * What went wrong, for programs that must tell failures of one exit code apart. Errors of the API have
 * their codes instead (catalogue.ts).
 */
export type OperatorCode =
  /** Another process uses it. */
  | 'in_use'
  /** What is to be filled contains something. */
  | 'not_empty'
  /** What is needed is not there. */
  | 'missing'
  /** It is not what was written. */
  | 'damaged'
  /** It was changed, or made by somebody else. */
  | 'not_authentic'
  /** It belongs to another installation. */
  | 'foreign'
  /** A newer imgstore has made it. */
  | 'newer'
  /** An imgstore has made it that is older than the one before this. */
  | 'older'
  /** The master key, or the passphrase, is missing or another one. */
  | 'wrong_key'
  /** A symbolic link leads elsewhere. */
  | 'symbolic_link'
  /** It is already so. */
  | 'nothing_to_do';

interface OperatorErrorParts {
  readonly code?: OperatorCode;
  /** The configuration key of the setting at fault. */
  readonly setting?: string;
  /** How to fix it: a command or an edit, ready to follow. */
  readonly remedy?: string;
  /** Each item that the message lists, for programs. */
  readonly mistakes?: readonly Mistake[];
  readonly cause?: unknown;
}

/**
 * An error shown to the operator at the terminal: what went wrong, in which setting, and how to fix
 * it.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: OperatorCode | undefined;
  readonly setting: string | undefined;
  readonly remedy: string | undefined;
  readonly mistakes: readonly Mistake[] | undefined;

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    parts: OperatorErrorParts = {},
  ) {
    super(message, { cause: parts.cause });
    this.code = parts.code;
    this.setting = parts.setting;
    this.remedy = parts.remedy;
    this.mistakes = parts.mistakes;
  }
}

export const failure = (message: string, parts?: OperatorErrorParts): OperatorError =>
  new OperatorError(ExitCode.failure, message, parts);

export const wrongUsage = (message: string, parts?: OperatorErrorParts): OperatorError =>
  new OperatorError(ExitCode.usage, message, parts);

export const dependencyDown = (message: string, parts?: OperatorErrorParts): OperatorError =>
  new OperatorError(ExitCode.dependencyDown, message, parts);

export const badConfiguration = (message: string, parts?: OperatorErrorParts): OperatorError =>
  new OperatorError(ExitCode.badConfiguration, message, parts);
