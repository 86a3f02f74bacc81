import { page } from './page.js';

// converse.js asks for the permission at sign-in, when nobody knows what for: browsers then tend to
// refuse it for good. It is asked for when someone presses the button.
const ask = window.Notification?.requestPermission.bind(Notification);
if (ask) {
  Notification.requestPermission = async () => Notification.permission;
}

const refused = 'zonda-no-notifications';
const bar = 'zonda-notify';

function button(text, style, run) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = style;
  element.textContent = text;
  element.addEventListener('click', () => {
    document.getElementById(bar).remove();
    run();
  });
  return element;
}

function show() {
  if (!ask || Notification.permission !== 'default' || localStorage.getItem(refused)
      || document.getElementById(bar)) {
    return;
  }
  const element = document.createElement('div');
  element.id = bar;
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', page.chatNotify);
  const text = document.createElement('p');
  text.textContent = page.chatNotify;
  element.append(
    text,
    button(page.chatNotifyYes, 'zonda-yes', ask),
    button(page.chatNotifyNo, 'zonda-no', () => localStorage.setItem(refused, 'true')));
  document.body.append(element);
}

// Offers notifications when the first message has come or gone.
export function offerNotifications(api) {
  api.listen.on('message', data => {
    if (data.attrs?.body && !data.attrs.is_archived) {
      show();
    }
  });
  api.listen.on('sendMessage', show);
  api.listen.on('clearSession', () => document.getElementById(bar)?.remove());
}
