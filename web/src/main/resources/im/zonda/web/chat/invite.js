import { offers } from './commands.js';
import { page } from './page.js';

const { $iq, html, sizzle } = converse.env;
const account = 'urn:xmpp:invite#create-account';
const contact = 'urn:xmpp:invite#invite';

export function mayInvite() {
  return offers(node => node === account || node === contact);
}

export function invite(api) {
  api.modal.show('zonda-invite', {});
}

function request(node, session) {
  return $iq({ type: 'set', to: page.domain }).c('command', {
    xmlns: 'http://jabber.org/protocol/commands',
    node,
    action: 'execute',
    ...(session ? { sessionid: session } : {}),
  });
}

// Makes an invitation (XEP-0401, sections 4.1 and 4.4). Whoever uses it and the one who invites
// become contacts.
async function issue(api) {
  const node = offers(each => each === account) ? account : contact;
  let answer = await api.sendIQ(request(node));
  const session = sizzle('command[status="executing"]', answer)[0]?.getAttribute('sessionid');
  if (session) {
    answer = await api.sendIQ(request(node, session)
      .c('x', { xmlns: 'jabber:x:data', type: 'submit' })
      .c('field', { var: 'roster-subscription' }).c('value').t('1'));
  }
  const value = name => sizzle(`field[var="${name}"] value`, answer)[0]?.textContent;
  const note = sizzle('note', answer)[0]?.textContent;
  const link = value('landing-url') ?? value('uri');
  if (!link) {
    throw new Error(note ?? '');
  }
  return { link, expiry: value('expire') };
}

// Defines the dialogue that shows an invitation.
export function defineInvite(api, Dialog) {
  api.elements.define('zonda-invite', class extends Dialog {
    initialize() {
      super.initialize();
      issue(api)
        .then(issued => this.state.set({ issued }))
        .catch(problem => this.state.set({ problem: problem?.message || page.chatInviteFailed }));
    }

    getModalTitle() {
      return page.chatInviteTitle;
    }

    renderModal() {
      const { issued, problem, copied } = this.state.attributes;
      if (problem) {
        return html`<p class="alert alert-danger" role="alert">${problem}</p>`;
      } else if (!issued) {
        return html`<converse-spinner></converse-spinner>`;
      }
      const day = new Date(issued.expiry).toLocaleDateString(document.documentElement.lang);
      return html`
        <p id="zonda-link-text">${page.chatInviteLink.replace('{1}', day)}</p>
        <div class="input-group">
          <input class="form-control" readonly .value=${issued.link}
            aria-labelledby="zonda-link-text" @focus=${event => event.target.select()}>
          <button type="button" class="btn btn-primary" @click=${() => this.copy(issued.link)}>
            ${copied ? page.chatInviteCopied : page.chatInviteCopy}
          </button>
        </div>`;
    }

    async copy(link) {
      this.querySelector('input').select(); // so that it can be copied by hand
      await navigator.clipboard?.writeText(link);
      this.state.set({ copied: navigator.clipboard !== undefined });
    }
  });
}
