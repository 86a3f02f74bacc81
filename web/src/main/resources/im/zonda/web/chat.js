// Starts converse.js with this server, as the page says.
const page = document.body.dataset;
const socket = new URL('/xmpp-websocket', location.href);
socket.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

converse.initialize({
  allow_registration: false, // the page /register does it
  assets_path: page.assets,
  authentication: 'login',
  auto_reconnect: true,
  autocomplete_providers_url: '',
  default_domain: page.domain,
  discover_connection_methods: false,
  embed_3rd_party_media_players: false,
  enable_smacks: true,
  i18n: document.documentElement.lang,
  keepalive: true,
  locked_domain: page.domain,
  muc_domain: page.rooms,
  play_sounds: false,
  providers_link: '',
  show_background: false,
  show_client_info: false,
  view_mode: 'fullscreen',
  websocket_url: socket.href,
  xmpp_providers_url: '',
});
