// The form by which someone creates an account: says while typing whether the name is free, shows
// the password on request, and goes to the chat with the new account. Without it the form works too.
const PAUSE = 400; // milliseconds without a key before a name is checked

function tell(field, text, kind) {
  const place = document.getElementById(field.id + '-text');
  place.textContent = text;
  place.className = kind;
  if (kind === 'problem') {
    field.setAttribute('aria-invalid', 'true');
  } else {
    field.removeAttribute('aria-invalid');
  }
}

function post(url, fields) {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'error' });
}

let asked = 0;
async function checkName(form) {
  const field = form.elements.name;
  const number = ++asked;
  const name = field.value.trim();
  if (!name || field.readOnly) {
    tell(field, '', 'hint');
    return;
  }
  await new Promise(later => setTimeout(later, PAUSE));
  if (number !== asked) {
    return;
  }
  try {
    const answer = await post(form.dataset.names, { name, token: form.dataset.token ?? '' });
    const text = await answer.text();
    if (number === asked && form.isConnected) {
      if (answer.status === 200 || answer.status === 422) {
        tell(field, text, answer.status === 200 ? 'good' : 'problem');
      } else {
        tell(field, '', 'hint');
      }
    }
  } catch {
    // The form says it when it is sent.
  }
}

// Leaves the account for the chat, which reads it once (login.js).
function enterChat(created, password) {
  const { account, contact } = created.dataset;
  try {
    sessionStorage.setItem(
      'zonda-login',
      JSON.stringify({ jid: account, password, contact, time: Date.now() }),
    );
  } catch {
    return false; // the browser keeps nothing
  }
  location.replace('/chat/');
  return true;
}

// Shows the page that has come in place of this one. A password that was not wrong is kept.
function show(page, password) {
  document.querySelector('main').replaceWith(document.importNode(page.querySelector('main'), true));
  document.title = page.title;
  const form = document.getElementById('join');
  if (form) {
    if (form.elements.password.getAttribute('aria-invalid') === null) {
      form.elements.password.value = password;
    }
    prepare(form);
  }
  (document.querySelector('main [autofocus]') ?? document.querySelector('main h1'))?.focus();
  if (!form) {
    scrollTo(0, 0);
  }
}

async function send(form) {
  const button = form.querySelector('button:not([type])');
  const password = form.elements.password.value;
  button.disabled = true;
  asked++;
  try {
    const answer = await post(form.action, new FormData(form));
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!page.querySelector('main')) {
      throw new Error('not a page: ' + answer.status);
    }
    const created = page.getElementById('created');
    if (!created || !page.getElementById('chat') || !enterChat(created, password)) {
      show(page, password);
    }
  } catch {
    button.disabled = false;
    tell(form.elements.password, form.dataset.failed, 'problem');
  }
}

function prepare(form) {
  const { name, password } = form.elements;
  const toggle = document.getElementById('show');
  const words = [toggle.textContent, toggle.dataset.hide];
  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    const hidden = password.type === 'password';
    password.type = hidden ? 'text' : 'password';
    toggle.textContent = words[hidden ? 1 : 0];
    password.focus();
  });
  name.addEventListener('input', () => checkName(form));
  form.addEventListener('submit', event => {
    event.preventDefault();
    send(form);
  });
}

const form = document.getElementById('join');
if (form) {
  prepare(form);
}
