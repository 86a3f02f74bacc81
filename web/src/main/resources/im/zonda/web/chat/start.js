// Starts converse.js with this server, as the page says.
import './brand.js';
import { showFiles } from './files.js';
import { guest, page } from './page.js';
import { followRooms } from './rooms.js';

const socket = new URL('/xmpp-websocket', location.href);
socket.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

converse.plugins.add('zonda', {
  dependencies: ['converse-muc'], // which defines what followRooms waits for
  initialize() {
    const { api } = this._converse;
    followRooms(api);
    showFiles(api);
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
