import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';

const operators = new AsyncLocalStorage<string>();

/** Runs a command of the terminal; its acts are attributed to this user of the operating system. */
export const runAsOperator = <T>(name: string, work: () => T): T => operators.run(name, work);

/** Undefined outside of commands. */
export const currentOperator = (): string | undefined => operators.getStore();

/** The user who runs this process; with sudo, the user who invoked it. */
export function operatorName(env: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() === 0 && env.SUDO_USER) return `${env.SUDO_USER} (sudo)`;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // a user without an account, as in containers
  }
}
