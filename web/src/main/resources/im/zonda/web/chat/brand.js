import { guest, page } from './page.js';

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
  bar.append(link('/', page.chatHome), link('/help', page.chatHelp));
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
