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

// Has no room say at each entry that it keeps an archive (status code 170), as all rooms do here.
// The setting of converse.js 14 for that is not looked at.
export function hushRooms(_converse) {
  delete _converse.labels.muc.STATUS_CODE_MESSAGES['170'];
}

// A room that someone makes by a name stays when everybody has left, and is not public, whatever the
// server's defaults are: its maker has asked for it, and can change both in its configuration.
export function configureNewRooms(api) {
  api.listen.on('constructedMUCPresence', (room, presence) => {
    if (room.get('auto_configure')) {
      const asked = room.get('roomconfig');
      room.set('roomconfig', { persistentroom: true, publicroom: false, ...asked });
    }
    return presence;
  });
}
