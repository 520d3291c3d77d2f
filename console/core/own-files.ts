// Next to the folder of this script: the page of links has the same files as the console, elsewhere.
const script = import.meta.url;

/** What the server publishes about itself to everyone (src/server/console.ts). */
export const settingsUrl = new URL('../settings.json', script).href;
