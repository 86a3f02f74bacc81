import { guest } from './page.js';

// The account that was created a moment ago on the page of an invitation or of registration
// (join.js). It is read once: whatever happens next, the form asks for the password.
const KEY = 'zonda-login';
const VALID = 60_000; // milliseconds

function take() {
  try {
    const entry = JSON.parse(sessionStorage.getItem(KEY));
    sessionStorage.removeItem(KEY);
    return entry && Date.now() - entry.time < VALID ? entry : null;
  } catch {
    return null;
  }
}
const entry = take();

// The settings of converse.js that log the account in.
export const login =
  entry && !guest ? { auto_login: true, jid: entry.jid, password: entry.password } : {};

// Opens the chat with the one who has invited.
export async function greetInviter(api) {
  if (entry?.contact && !guest) {
    await api.waitUntil('rosterContactsFetched');
    api.chats.open(entry.contact, {}, true);
  }
}
