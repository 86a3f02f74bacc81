import { actions } from './actions.js';
import { publicRooms, roomButtons } from './finder.js';
import { page } from './page.js';

const { html } = converse.env;
const mostRooms = 12;

// Shows what can be done where no chat is open: converse.js leaves that empty.
export function defineWelcome(_converse) {
  const { api } = _converse;
  api.elements.define('zonda-welcome', class extends _converse.exports.CustomElement {
    initialize() {
      this.rooms = [];
      this.setAttribute('role', 'main');
      publicRooms(api)
        .then(rooms => {
          this.rooms = rooms.slice(0, mostRooms);
          this.requestUpdate();
        })
        .catch(converse.env.log.error);
    }

    render() {
      return html`
        <img src="/web/picture" alt="" width="72" height="72">
        <h1>${page.chatHello}</h1>
        <p>${page.chatHelloText}</p>
        <div class="zonda-cards">
          ${actions(api).map(each => html`
            <button type="button" @click=${each.run}>
              <converse-icon class="fa ${each.icon}" size="1.6em"></converse-icon>
              <strong>${each.title}</strong>
              <span>${each.text}</span>
            </button>`)}
        </div>
        ${this.rooms.length ? html`<h2>${page.chatRoomPublic}</h2>` : ''}
        ${roomButtons(this.rooms, address => api.rooms.open(address, {}, true))}`;
    }
  });
  const name = 'converse-chats';
  api.elements.define(name, class extends api.elements.registry[name] {
    initialize() {
      super.initialize();
      this.listenTo(_converse, 'rosterContactsFetched', () => this.requestUpdate());
    }

    render() {
      const { chatboxes } = _converse.state;
      const isEmpty = api.connection.get()?.authenticated && !chatboxes.models.some(chat =>
        chat.get('type') !== 'controlbox' && !chat.get('hidden') && !chat.get('closed'));
      const isFirst = !_converse.state.roster?.length && chatboxes.length < 2;
      return html`${super.render()}${isEmpty
        ? html`<zonda-welcome class="${isFirst ? 'zonda-first' : ''}"></zonda-welcome>` : ''}`;
    }
  });
}
