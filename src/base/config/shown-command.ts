import { basename, isAbsolute } from 'node:path';
import { programName } from '../os/command-line.js';
import { defaultHome, type Home } from './home.js';

/** How commands are typed on the server, for pages that anybody may open. */
export interface ShownCommand {
  /** Before the words of a command. */
  readonly program: string;
  /** After them; empty if the service uses the default home. */
  readonly options: string;
}

/** Does not reveal where the program is installed, nor where the home is. */
export function shownCommand(home: Home): ShownCommand {
  const name = programName();
  return {
    program: isAbsolute(name) ? basename(name) : name,
    options: home.dir === defaultHome() ? '' : ' --home HOME',
  };
}
