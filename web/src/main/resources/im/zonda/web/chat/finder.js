import { page } from './page.js';

const { html, sizzle } = converse.env;

// The public rooms of this server, as addresses with their names.
export async function publicRooms(api) {
  const answer = await api.disco.items(page.rooms);
  return sizzle('item', answer).map(item => ({
    address: item.getAttribute('jid'),
    name: item.getAttribute('name') || item.getAttribute('jid'),
  }));
}

// Buttons that open rooms.
export function roomButtons(rooms, open) {
  return html`
    <ul class="zonda-rooms">
      ${rooms.map(room => html`
        <li><button type="button" class="zonda-room" @click=${() => open(room.address)}>
          <converse-icon class="fa fa-comments" size="1em"></converse-icon> ${room.name}
        </button></li>`)}
    </ul>`;
}

// Replaces the dialogue that opens a room. That of converse.js asks a search service of others for
// rooms while a name is typed; this one knows the rooms of this server.
export function defineFinder(_converse) {
  const { api } = _converse;
  const name = 'converse-add-muc-modal';
  api.elements.define(name, class extends api.elements.registry[name] {
    initialize() {
      super.initialize();
      this.state.set({ rooms: [] });
      publicRooms(api).then(rooms => this.state.set({ rooms })).catch(converse.env.log.error);
    }

    getModalTitle() {
      return page.chatRoomOpen;
    }

    updated() {
      // The field is made by another element, which takes no name for it.
      this.querySelector('input[name=chatroom]')?.setAttribute('aria-label', page.chatRoomName);
    }

    renderModal() {
      const rooms = this.state.get('rooms') ?? [];
      const suggestions = rooms.map(room => ({ label: room.name, value: room.address }));
      return html`
        <form class="converse-form add-chatroom" @submit=${event => this.openChatRoom(event)}>
          <div class="mb-3">
            <span class="form-label">${page.chatRoomName}</span>
            <converse-autocomplete class="add-muc-autocomplete" name="chatroom" position="below"
              min_chars="1" required .getAutoCompleteList=${() => suggestions}
              .validate=${address => this.validateMUCJID(address)}></converse-autocomplete>
            <small class="form-text">${page.chatRoomHint}</small>
          </div>
          <label class="form-label" for="zonda-nick">${page.chatRoomNick}</label>
          <input id="zonda-nick" class="form-control" name="nickname" required
            .value=${this.nickname()}>
          <button type="submit" class="btn btn-primary mt-3">${page.chatRoomEnter}</button>
        </form>
        ${rooms.length ? html`<h6 class="mt-4">${page.chatRoomPublic}</h6>` : ''}
        ${roomButtons(rooms, address => this.enter(address))}`;
    }

    nickname() {
      return _converse.exports.getDefaultMUCNickname() ?? '';
    }

    enter(address) {
      this.modal.hide();
      api.rooms.open(address, {}, true);
    }
  });
}
