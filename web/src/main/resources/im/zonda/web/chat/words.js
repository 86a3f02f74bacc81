import { page } from './page.js';

const { i18n } = converse.env;

// Before someone is signed in, the only address that is asked for is that of the form, which
// shows the domain itself.
let signedIn = false;
export function followSignIn(api) {
  api.listen.on('connected', () => { signedIn = true; });
  api.listen.on('clearSession', () => { signedIn = false; });
}

// Plain words in place of those of converse.js, in the language of the page.
const words = {
  'XMPP Address': () => signedIn ? page.chatAddress : page.chatName,
  'This is a trusted device': page.chatOwnDevice,
  'Your XMPP address and/or password is incorrect. Please try again.': page.chatWrongPassword,
  'Groupchats': page.chatRooms,
  'Add groupchat': page.chatRoomOpen,
  'Query server': page.chatRoomOthers,
  'Query for Groupchats': page.chatRoomOthers,
  'Leave this groupchat': page.chatRoomLeave,
  'Start a new chat': page.chatWriteTitle,
  'Start Chat': page.chatWrite,
  'Ungrouped': page.chatPeople,
  'Unsaved contacts': page.chatUnsaved,
  'Pending contacts': page.chatPending,
};

const translate = i18n.translate;
i18n.translate = (text, values) => {
  const word = words[text];
  if (word !== undefined) {
    return word instanceof Function ? word() : word;
  }
  return translate(i18n.getLocale() === 'en' ? plain(text) : text, values);
};

// The other languages have words of their own for a room.
function plain(text) {
  return text
    .replaceAll('groupchat', 'room')
    .replaceAll('Groupchat', 'Room')
    .replaceAll('XMPP address', 'address');
}
