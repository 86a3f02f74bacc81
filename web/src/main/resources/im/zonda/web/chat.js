// Starts converse.js with this server, as the page says.
const page = document.body.dataset;

// Someone who has no account enters by /chat/?guest, has an address that lasts as long as the
// session, and chooses a nickname in each room.
const guest = page.guests === 'true' && new URLSearchParams(location.search).has('guest');
const socket = new URL('/xmpp-websocket', location.href);
socket.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

// converse.js registers its elements unless they exist. These have the server's name and picture in
// place of its own, and load nothing from other hosts.
function define(name, fill) {
  customElements.define(name, class extends HTMLElement {
    connectedCallback() {
      if (!this.firstChild) {
        fill(this);
      }
    }
  });
}

function link(url, text) {
  const element = document.createElement('a');
  element.href = url;
  element.textContent = text;
  return element;
}

define('converse-controlbox-navbar', bar => {
  bar.className = 'zonda-bar';
  bar.append(link('/', page.home));
});
for (const name of ['converse-brand-heading', 'converse-brand-logo']) {
  define(name, heading => {
    heading.className = 'zonda-heading';
    const picture = document.createElement('img');
    picture.src = '/web/picture';
    picture.alt = '';
    const title = document.createElement('strong');
    title.textContent = page.title;
    heading.append(picture, title);
  });
}
define('converse-footer', footer => {
  footer.className = 'zonda-foot';
  if (page.guests === 'true') {
    footer.append(guest
      ? link('/chat/' + location.hash, page.signIn)
      : link('/chat/?guest' + location.hash, page.guestsText));
  }
  if (page.register === 'true') {
    footer.append(link('/register', page.registerText));
  }
  footer.append(link('https://github.com/conversejs/converse.js', 'converse.js'));
});

// This server's files have the URL that everyone can reach, which is not that of this page when it
// was opened by another name or without TLS. The page sends and reads them where it came from: its
// policy allows nothing else, and a browser that has not accepted the certificate does not either.
const files = '/upload/';
function here(url) {
  const text = String(url);
  return text.startsWith(page.files) ? location.origin + files + text.slice(page.files.length) : url;
}

const open = XMLHttpRequest.prototype.open;
XMLHttpRequest.prototype.open = function (method, url, ...rest) {
  return open.call(this, method, here(url), ...rest);
};
const fetch = window.fetch;
window.fetch = (resource, options) =>
  fetch(resource instanceof Request ? resource : here(resource), options);

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

// Pictures, sound and links in messages are made by `addHyperlinkTemplate` of the texts.
const changed = new WeakSet();
converse.plugins.add('zonda', {
  dependencies: ['converse-muc'], // which defines what openRoom waits for
  initialize() {
    const { api } = this._converse;
    openRoom(api);
    addEventListener('hashchange', () => openRoom(api));
    api.listen.on('beforeMessageBodyTransformed', text => {
      const texts = Object.getPrototypeOf(text);
      if (!changed.has(texts)) {
        changed.add(texts);
        const template = texts.addHyperlinkTemplate;
        texts.addHyperlinkTemplate = function (link) {
          return template.call(this, { ...link, url: here(link.url) });
        };
      }
    });
  },
});

converse.initialize({
  // A guest stores nothing: the chat would wait for bookmarks, and registering a nickname is an error.
  allow_bookmarks: !guest,
  allow_registration: false, // the page /register does it
  assets_path: page.assets,
  authentication: guest ? 'anonymous' : 'login',
  auto_login: guest,
  auto_reconnect: true,
  auto_register_muc_nickname: !guest,
  autocomplete_providers_url: '',
  default_domain: page.domain,
  discover_connection_methods: false,
  embed_3rd_party_media_players: false,
  enable_smacks: true,
  ...(guest ? { jid: page.domain } : {}),
  i18n: document.documentElement.lang,
  keepalive: true,
  locked_domain: page.domain,
  muc_domain: page.rooms,
  muc_nickname_from_jid: !guest,
  play_sounds: false,
  providers_link: '',
  show_background: false,
  show_client_info: false,
  view_mode: 'fullscreen',
  websocket_url: socket.href,
  whitelisted_plugins: ['zonda'],
  xmpp_providers_url: '',
});
