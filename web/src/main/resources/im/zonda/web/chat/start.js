// Starts converse.js with this server, as the page says.
import './brand.js';
import { followCommands } from './commands.js';
import { dialogClass } from './dialogs.js';
import { ownHosts, showFiles } from './files.js';
import { defineFinder } from './finder.js';
import { keepPlaces } from './history.js';
import { defineInvite } from './invite.js';
import { greetInviter, login } from './login.js';
import { offerNotifications } from './notify.js';
import { guest, page } from './page.js';
import { keepSession } from './resume.js';
import { configureNewRooms, followRooms, hushRooms } from './rooms.js';
import { showUnread } from './unread.js';
import { defineAdministration, defineUser, keepSideBar } from './user.js';
import { defineWelcome } from './welcome.js';
import { followSignIn } from './words.js';

const socket = new URL('/xmpp-websocket', location.href);
socket.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

converse.plugins.add('zonda', {
  // What the scripts wait for and change is defined by these.
  dependencies: ['converse-mam', 'converse-muc', 'converse-ping', 'converse-smacks'],
  initialize() {
    const { api } = this._converse;
    const Dialog = dialogClass(api);
    defineFinder(this._converse);
    defineInvite(api, Dialog);
    defineAdministration(api, Dialog);
    defineUser(api);
    defineWelcome(this._converse);
    followCommands(api, () => document.querySelectorAll('converse-user-profile, zonda-welcome')
      .forEach(element => element.requestUpdate()));
    keepSession(this._converse);
    followRooms(api);
    followSignIn(api);
    hushRooms(this._converse);
    keepPlaces(api);
    keepSideBar(api);
    offerNotifications(api);
    configureNewRooms(api);
    showFiles(api);
    showUnread(this._converse);
    greetInviter(api);
  },
});

converse.initialize({
  allow_adhoc_commands: false, // user.js shows them to administrators
  // A guest stores nothing: the chat would wait for bookmarks, and registering a nickname is an error.
  allow_bookmarks: !guest,
  allow_registration: false, // the page /register does it
  // Others' pictures and sounds are links: the page may not load them.
  allowed_audio_domains: ownHosts,
  allowed_image_domains: ownHosts,
  allowed_video_domains: ownHosts,
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
  fetch_url_headers: false,
  ...(guest ? { jid: page.domain } : {}),
  i18n: document.documentElement.lang,
  keepalive: true,
  locked_domain: page.domain,
  muc_domain: page.rooms,
  muc_nickname_from_jid: !guest,
  muc_search_service: '',
  notification_icon: '/web/picture',
  play_sounds: false,
  providers_link: '',
  show_background: false,
  show_client_info: false,
  show_self_in_roster: false,
  view_mode: 'fullscreen',
  // A browser asks its maker's service where it is.
  visible_toolbar_buttons: { call: false, clear: true, emoji: true, location: false, spoiler: false },
  websocket_url: socket.href,
  whitelisted_plugins: ['zonda'],
  xmpp_providers_url: '',
  ...login,
});
