import { actions } from './actions.js';
import { offers } from './commands.js';
import { guest, page } from './page.js';

const { html, i18n } = converse.env;
const states = {
  chat: 'online', online: 'online', dnd: 'busy', away: 'away', xa: 'away for long',
  offline: 'offline',
};
const colors = { online: 'online', chat: 'online', dnd: 'busy', away: 'away', xa: 'away' };

function isAdministrator() {
  return offers(node => node.startsWith('http://jabber.org/protocol/admin#'));
}

// Replaces the head of the side bar: the user's name opens a menu, in which are the profile, the
// account, help and log out. Below it is what can be done.
export function defineUser(api) {
  const name = 'converse-user-profile';
  api.elements.define(name, class extends api.elements.registry[name] {
    render() {
      const own = this.model.getDisplayName();
      const end = '@' + page.domain;
      const state = this.model.get('show') || this.model.get('presence') || 'online';
      const said = this.model.get('status_message')
        || i18n.__('I am %1$s', i18n.__(states[state] ?? 'online'));
      return html`
        <button type="button" class="zonda-user" popovertarget="zonda-menu"
          aria-label="${page.chatMenu}" title="${page.chatMenu}">
          <converse-avatar .model=${this.model} class="avatar" name="${own}"
            nonce=${this.model.vcard?.get('vcard_updated')} height="40" width="40">
          </converse-avatar>
          <span class="zonda-user-name">${own.endsWith(end) ? own.slice(0, -end.length) : own}</span>
          <converse-icon class="fa fa-angle-down" size="1em"></converse-icon>
        </button>
        ${this.menu()}
        <button type="button" class="zonda-status change-status"
          title="${i18n.__('Click to change your chat status')}"
          @click=${event => this.showProfileModal(event)}>
          <converse-icon class="fa fa-circle" size=".8em"
            color="var(--chat-status-${colors[state] ?? 'offline'})"></converse-icon>
          <span class="xmpp-status__msg">${said}</span>
        </button>
        <div class="zonda-actions">
          ${actions(api).map(each => html`
            <button type="button" title="${each.title}" @click=${each.run}>
              <converse-icon class="fa ${each.icon}" size="1.2em"></converse-icon>${each.name}
            </button>`)}
        </div>`;
    }

    menu() {
      const entry = (icon, text, run) => html`
        <button type="button" @click=${() => this.choose(run)}>
          <converse-icon class="fa ${icon}" size="1em"></converse-icon> ${text}
        </button>`;
      const link = (icon, text, url) => html`
        <a href="${url}"><converse-icon class="fa ${icon}" size="1em"></converse-icon> ${text}</a>`;
      return html`
        <div id="zonda-menu" popover>
          ${entry('fa-id-card', page.chatProfile, () => this.showProfileModal(undefined, 'profile'))}
          ${guest ? '' : link('fa-user-cog', page.chatAccount, '/account')}
          ${isAdministrator()
            ? entry('fa-wrench', page.chatAdmin, () => api.modal.show('zonda-administration', {}))
            : ''}
          ${link('fa-info-circle', page.chatHelp, '/help')}
          ${entry('fa-sign-out-alt', i18n.__('Log out'), () => api.user.logout())}
        </div>`;
    }

    choose(run) {
      this.querySelector('#zonda-menu').hidePopover();
      run();
    }
  });
}

// At log out converse.js 14 closes the side bar when its connection is gone, on which that fails.
export function keepSideBar(api) {
  const SideBar = api.elements.registry['converse-controlbox'];
  const close = SideBar.prototype.close;
  SideBar.prototype.close = function (event) {
    return api.connection.get() ? close.call(this, event) : undefined;
  };
}

// Defines the dialogue with the commands of this server, which converse.js has in its settings.
export function defineAdministration(api, Dialog) {
  api.elements.define('zonda-administration', class extends Dialog {
    getModalTitle() {
      return page.chatAdmin;
    }

    renderModal() {
      return html`<p>${page.chatAdminText}</p><converse-adhoc-commands></converse-adhoc-commands>`;
    }
  });
  const name = 'converse-adhoc-commands';
  api.elements.define(name, class extends api.elements.registry[name] {
    connectedCallback() {
      super.connectedCallback();
      api.adhoc.getCommands(page.domain).then(commands => {
        this.commands = commands;
        this.view = 'list-commands';
      });
    }
  });
}
