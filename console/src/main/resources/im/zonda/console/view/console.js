// What pages do besides being read: the figures of the overview and the log go on by themselves, a
// one-time link signs in by itself, and Ctrl-K leads to the search. Everything works without it.

const MOST_LINES = 1000;

/** Attributes that new figures may set: how lines are drawn, and what charts know of their values. */
const RENEWED = ['d', 'data-values'];

/** Puts a new figure where the old one is, or sets an attribute there: `place@attribute`. */
function put(name, value) {
  const [id, attribute] = name.split('@');
  const place = document.querySelector(`[data-live="${CSS.escape(id)}"]`);
  if (!place) {
    return;
  }
  if (!attribute) {
    if (place.textContent !== value) {
      place.textContent = value;
    }
  } else if (RENEWED.includes(attribute)) {
    place.setAttribute(attribute, value);
  }
}

/** Puts new figures where the old ones are. */
function renew(at) {
  const events = new EventSource(at.dataset.stream);
  events.onmessage = event => {
    for (const line of event.data.split('\n')) {
      const tab = line.indexOf('\t');
      if (tab > 0) {
        put(line.slice(0, tab), line.slice(tab + 1));
      }
    }
  };
}

/** Adds lines to the log; it stays at its end unless the reader has gone up. */
function follow(log) {
  log.scrollTop = log.scrollHeight;
  new EventSource(log.dataset.log).onmessage = event => {
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    const line = document.createElement('code');
    line.textContent = event.data;
    log.append(line);
    while (log.childElementCount > MOST_LINES) {
      log.firstElementChild.remove();
    }
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  };
}

/** Sends the secret of a one-time link, which is behind the # and leaves the address. */
function signIn(form) {
  const secret = location.hash.slice(1);
  if (secret) {
    history.replaceState(null, '', location.pathname);
    form.elements.code.value = secret;
    form.requestSubmit();
  }
}

/** Bytes of a text in base64url. */
function bytes(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, each => each.charCodeAt(0));
}

/** Bytes as a text in base64url. */
function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Asks the browser for a passkey; nobody has to say which model theirs is. */
function ask(form) {
  const { site, user, name, known } = form.dataset;
  const challenge = bytes(form.elements.challenge.value);
  if (form.dataset.passkey === 'get') {
    return navigator.credentials.get({
      publicKey: { challenge, rpId: site, userVerification: 'required' },
    });
  }
  return navigator.credentials.create({
    publicKey: {
      challenge,
      rp: { id: site, name: 'Zonda' },
      user: { id: bytes(user), name, displayName: name },
      pubKeyCredParams: [{ type: 'public-key', alg: -8 }, { type: 'public-key', alg: -7 }],
      excludeCredentials:
        known.split(',').filter(Boolean).map(id => ({ type: 'public-key', id: bytes(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  });
}

/** Lets a form send what the browser answers for a passkey. */
function offerPasskey(form) {
  form.hidden = !window.PublicKeyCredential;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const problem = form.querySelector('.problem');
    problem.hidden = true;
    try {
      const { rawId, response } = await ask(form);
      form.elements.id.value = text(rawId);
      form.elements.client.value = text(response.clientDataJSON);
      form.elements.data.value = text(response.authenticatorData ?? response.getAuthenticatorData());
      form.elements.signature.value = response.signature ? text(response.signature) : '';
      form.submit();
    } catch {
      problem.hidden = false;
    }
  });
}

const current = document.querySelector('.rail [aria-current]');
if (current) {
  const rail = current.closest('nav');
  rail.scrollLeft = current.offsetLeft - rail.clientWidth / 3;
}
document.querySelectorAll('[data-stream]').forEach(renew);
document.querySelectorAll('[data-log]').forEach(follow);
document.querySelectorAll('[data-passkey]').forEach(offerPasskey);
document.querySelectorAll('[data-send]').forEach(form => form.requestSubmit());
const link = document.getElementById('link');
if (link) {
  signIn(link);
  addEventListener('hashchange', () => signIn(link));
}
addEventListener('keydown', event => {
  const search = document.getElementById('search');
  if (search && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    search.focus();
    search.select();
  }
});
