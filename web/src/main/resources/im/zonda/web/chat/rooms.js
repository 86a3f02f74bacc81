// Opens the room that `#room=` names. converse.js has links of its own, but does not decode them:
// no room with an umlaut, `=` or `%` could be opened.
const room = '#room=';
async function openRoom(api) {
  if (location.hash.startsWith(room)) {
    const address = decodeURIComponent(location.hash.slice(room.length));
    await api.waitUntil('roomsAutoJoined');
    api.rooms.open(address, {}, true);
  }
}

// Opens the room of the page's address, now and whenever it changes.
export function followRooms(api) {
  openRoom(api);
  addEventListener('hashchange', () => openRoom(api));
}
