import { ServiceError, type ErrorCode } from '../base/errors/catalogue.js';
import {
  ExitCode,
  OperatorError,
  type Mistake,
  type OperatorCode,
} from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { printable, printableLines } from '../base/text.js';
import { interruptionOf } from './interrupt.js';
import { tableText, type Table } from './table.js';

/**
 * Ends a command with an exit code after its result or a log entry has already given the reason.
 */
export class SilentExit extends Error {
  override readonly name = 'SilentExit';

  constructor(readonly exitCode: number = ExitCode.failure) {
    super('already reported');
  }
}

/** The output of a command: a document for programs and lines for people. */
export interface CommandResult {
  readonly document: unknown;
  readonly text: string;
}

/** The output of a command that lists something. */
export interface ListResult extends Table {
  readonly document: unknown;
  /** Said instead of an empty table. */
  readonly none: string;
  /** A line below the table. */
  readonly note?: string | undefined;
}

/** Of a terminal that does not tell its size. */
const usualColumns = 80;

/** Whether the terminal shows a line that the next one replaces. */
let transientShown = false;

/**
 * The only place that prints. Results go to stdout and everything else to stderr; with `--json`,
 * stdout carries one document, errors included. Names of files, users, and objects may contain
 * anything: nothing is printed that steers a terminal but its own.
 */
export class Ui {
  readonly #warned = new Set<string>();
  readonly #hinted = new Set<string>();

  readonly #out = process.stdout;
  readonly #err = process.stderr;

  /** @param logs whether stderr is a log, where only entries belong. */
  constructor(
    readonly json: boolean,
    private readonly logs = false,
  ) {}

  /** For a command that logs from now on. */
  logging(): Ui {
    return new Ui(this.json, true);
  }

  /** Whether a person sees output that is not a result. */
  get onTerminal(): boolean {
    return this.#err.isTTY;
  }

  /** Whether a person reads the result as it is printed. */
  get resultOnTerminal(): boolean {
    return !this.json && this.#out.isTTY;
  }

  /** Whether there is a terminal to ask on. */
  get interactive(): boolean {
    return !this.json && process.stdin.isTTY && this.#err.isTTY;
  }

  result({ document, text }: CommandResult): void {
    this.#settle();
    this.#print(this.json ? JSON.stringify(document, null, 2) : text);
  }

  /** In a pipe, no line is broken. */
  list({ document, none, note, ...table }: ListResult): void {
    const width = this.#out.isTTY ? this.#out.columns || usualColumns : Infinity;
    const text = table.rows.length === 0 ? none : tableText(table, width);
    this.result({ document, text: note === undefined ? text : `${text}\n${note}` });
  }

  /** Reports a step of long work; in a pipe as a plain line, unless a program or a log reads it. */
  readonly progress = (message: string): void => {
    this.#settle();
    if (this.#err.isTTY) this.#say(`· ${message}`);
    else if (!this.json && !this.logs) this.#say(message);
  };

  /** Reports how far long work is; on a terminal, the next line of this command replaces it. */
  readonly transient = (message: string): void => {
    if (!this.#err.isTTY) return this.progress(message);
    this.#settle();
    // Cut to one line of the terminal.
    this.#err.write(`· ${printable(message).slice(0, this.#err.columns - 3)}\r`);
    transientShown = true;
  };

  #print(text: string): void {
    this.#out.write(`${printableLines(text)}\n`);
  }

  #say(text: string): void {
    this.#err.write(`${printableLines(text)}\n`);
  }

  /** Erases a line that was to be replaced. */
  #settle(): void {
    if (transientShown) this.#err.write('\x1b[2K');
    transientShown = false;
  }

  /** Reports what is wrong with an answer, before the question is asked again. */
  readonly problem = ({ message, remedy }: OperatorError): void => {
    this.#say(`✗ ${message}${remedy ? `\n  Remedy: ${remedy}` : ''}`);
  };

  /** Says, once, what one can do. */
  readonly hint = (message: string): void => {
    if (this.#hinted.has(message)) return;
    this.#hinted.add(message);
    this.progress(message);
  };

  /** Reports, once each, what works but most likely not as intended. */
  readonly warn = (message: string): void => {
    if (this.#warned.has(message)) return;
    this.#settle();
    this.#warned.add(message);
    this.#say(`Warning: ${message}`);
  };

  /** Prints a usage error of Commander. @param help the command that prints the usage. */
  readonly misuse = (message: string, help: string): void => {
    this.#say(`${message}\n(usage: ${help})`);
  };

  /** @returns the exit code for an error, after printing it. */
  fail(thrown: unknown): number {
    const error = describe(thrown);
    this.#settle();
    if (this.json) {
      const { exitCode: exit_code, code, message, setting, remedy, mistakes } = error;
      const document = { error: { exit_code, code, message, setting, remedy, mistakes } };
      this.#print(JSON.stringify(document, null, 2));
    } else {
      this.#say(`Error: ${error.message}`);
      if (error.setting) this.#say(`  Setting: ${error.setting}`);
      if (error.remedy) this.#say(`  Remedy:  ${error.remedy}`);
    }
    return error.exitCode;
  }
}

interface ErrorReport {
  readonly exitCode: number;
  readonly code?: OperatorCode | ErrorCode | undefined;
  readonly message: string;
  readonly setting?: string | undefined;
  readonly remedy?: string | undefined;
  readonly mistakes?: readonly Mistake[] | undefined;
}

/** The commands that list valid ids, for errors about unknown ones. */
const lists: ReadonlyMap<string, readonly string[]> = new Map([
  ['platform_not_found', ['platform', 'list']],
  ['user_not_found', ['user', 'list', '--platform', 'ID']],
  ['image_not_found', ['audit', '--user', 'ID', '--changes']],
  ['webhook_not_found', ['webhook', 'list']],
  ['hold_not_found', ['hold', 'list', '--platform', 'ID']],
  ['held', ['hold', 'list', '--platform', 'ID']],
]);

/** The flag of the command line that corresponds to a field of a request. */
const flagOf = (field: string): string =>
  field === 'platform' ? '--name' : `--${field.replaceAll('_', '-')}`;

/** A message for the command line. The one of a missing field has no words of the caller, but may name others. */
const withFlags = ({ code, message }: ServiceError, field: string): string =>
  code === 'missing_field'
    ? message.replace(/^[a-z_]+|[a-z]+_[a-z_]+/g, flagOf)
    : message.replace(field, flagOf(field));

const exitCodes: ReadonlyMap<string, ExitCode> = new Map([
  ['unavailable', ExitCode.dependencyDown],
  ['missing_field', ExitCode.usage],
  ['invalid_field', ExitCode.usage],
]);

function describe(thrown: unknown): ErrorReport {
  if (thrown instanceof OperatorError) {
    const { exitCode, code, message, setting, remedy, mistakes } = thrown;
    return { exitCode, code, message, setting, remedy, mistakes };
  }
  if (thrown instanceof ServiceError) {
    const { code, field } = thrown;
    const list = lists.get(code);
    return {
      exitCode: exitCodes.get(code) ?? ExitCode.failure,
      code,
      message: field ? withFlags(thrown, field) : thrown.message,
      setting: field && flagOf(field),
      remedy: list && commandLine(...list),
    };
  }
  const interruption = interruptionOf(thrown);
  if (interruption) {
    const { exitCode, message, remedy } = interruption;
    return { exitCode, message, remedy };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if ('syscall' in error && error.syscall === 'uv_cwd') {
    const message = 'The working directory has been deleted.';
    return { exitCode: ExitCode.failure, message, remedy: 'Change to another one: cd /' };
  }
  if (process.env.IMGSTORE_LOG_LEVEL === 'debug') {
    return { exitCode: ExitCode.failure, message: error.stack ?? error.message };
  }
  const remedy = 'This is not expected; to see where it happens: IMGSTORE_LOG_LEVEL=debug';
  return { exitCode: ExitCode.failure, message: error.message, remedy };
}
