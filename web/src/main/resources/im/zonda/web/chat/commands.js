import { page } from './page.js';

// The commands that this server offers to whoever is signed in (XEP-0050), by their nodes.
let nodes = new Set();

export function offers(test) {
  return [...nodes].some(test);
}

// Asks for the commands after each sign-in, and calls back when they are known.
export function followCommands(api, known) {
  api.listen.on('connected', async () => {
    const commands = await api.adhoc.getCommands(page.domain);
    nodes = new Set(commands.map(command => command.node));
    known();
  });
}
