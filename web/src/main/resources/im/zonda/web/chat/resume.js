import { followArchive } from './archive.js';
import { Attempt, management, parse } from './attempt.js';
import { page } from './page.js';

// Keeps the session over a lost connection (XEP-0198), below converse.js: that would empty the
// window, forget its handlers and enter each room again, and after a second loss give the session up.
// Here the connection is only paused until it has the socket of an attempt that has succeeded. If
// the server does not resume the session, converse.js binds a new one.

// Milliseconds between attempts, which grow.
const firstPause = 500;
const lastPause = 10000;

// The attempts to end a session after its user has logged out.
const farewells = 60;

// A page that has not run for so long has slept. A hidden one runs about once a minute.
const asleep = () => (document.hidden ? 90000 : 20000);

// After these a session can be resumed; others, such as `conflict`, say why it must not be.
const passing = ['connection-timeout', 'internal-server-error', 'reset', 'resource-constraint', 'system-shutdown'];

const isText = ({ tagName, children }) => tagName === 'message'
  && [...children].some(({ localName }) => localName === 'body' || localName === 'encrypted');

const bar = document.createElement('div');
bar.id = 'zonda-away';
bar.setAttribute('role', 'status'); // and so aria-live
document.body.append(bar);
function showAway(away) {
  bar.textContent = away ? page.chatReconnecting : '';
}

class Resumption {
  away = null; // while the connection is lost: `tries`, `timer`, and the `attempt` under way
  unsent = []; // messages for the next session
  uncounted = [];
  held = null;
  seen = Date.now();

  constructor(_converse) {
    this._converse = _converse;
    this.api = _converse.api;
    this.strophe = converse.env.Strophe;
    this.archive = followArchive(_converse);
    this.watch();
  }

  get session() {
    return this._converse.session;
  }

  watch() {
    const { api } = this;
    api.listen.on('connectionInitialized', () => this.keep(api.connection.get()));
    const { reconnect } = api.connection;
    api.connection.reconnect = () => (this.leave() ? undefined : reconnect());
    const { ping } = api;
    api.ping = (...asked) => (this.away ? true : ping(...asked)); // an answer comes later
    api.listen.on('presencesInitialized', () => setTimeout(() => this.goOn()));
    this.watchReload();
    this.watchSending();

    api.listen.on('will-reconnect', () => showAway(true));
    api.listen.on('disconnected', () => showAway(false));
    api.listen.on('reconnected', () => {
      showAway(false);
      this.sendUnsent(type => type !== 'groupchat');
    });
    api.listen.on('enteredNewRoom', room => this.sendUnsent((type, to) => to === room.get('jid')));

    setInterval(() => this.tick(), 5000);
    addEventListener('online', () => {
      this.hurry();
      api.ping(null, 5000); // converse.js calls `reconnect` if there is no answer
    });
    document.addEventListener('visibilitychange', () => document.hidden || this.hurry());
  }

  // A page that is loaded again resumes its session too, but would take another resource for its own,
  // also if it has to bind one: the former stays behind then. And a session that was interrupted
  // before its first presence would never send one.
  watchReload() {
    const { api } = this;
    api.listen.on('beforeResourceBinding', () => {
      const { connection, strophe } = this;
      const jid = this.session.get('zonda_jid');
      if (jid && strophe.getBareJidFromJid(jid) === strophe.getBareJidFromJid(connection.jid)) {
        connection.jid = jid;
      }
    });
    api.listen.on('send', stanza => {
      if (stanza.tagName === 'presence' && !stanza.hasAttribute('to') && !stanza.hasAttribute('type')) {
        this.session.save('zonda_present', true);
      }
    });
    api.listen.on('afterResourceBinding', () => {
      if (!this.connection.restored) {
        this.session.save({ zonda_jid: this.connection.jid, zonda_present: false });
      }
    });
    api.listen.on('connected', () => {
      if (this.connection.restored && !this.session.get('zonda_present')) {
        this.connection.send_initial_presence = true;
      }
    });
  }

  // Takes the connection's losses from it.
  keep(connection) {
    this.connection = connection;
    const proto = connection._proto;
    const { _doDisconnect, send } = connection;
    connection._doDisconnect = condition => {
      if (!this.leave()) {
        if (this.away) {
          this.sayGoodbye(this.login(), farewells);
        }
        this.end();
        _doDisconnect.call(connection, condition);
      }
    };
    const { _checkStreamError, _onMessage } = proto;
    proto._checkStreamError = (element, status) => {
      const [error] = element.getElementsByTagNameNS('http://etherx.jabber.org/streams', 'error');
      const passes = passing.includes(error?.firstElementChild?.localName);
      return (passes && this.leave()) || _checkStreamError.call(proto, element, status);
    };
    proto._onMessage = message => {
      this.tick();
      if (this.held) {
        this.held.push(message);
        return;
      }
      const { restored } = connection;
      _onMessage.call(proto, message);
      if (connection.restored && !restored) {
        this.hold(); // the page was loaded again, and nothing handles stanzas yet
      }
    };
    connection.send = stanza => {
      const element = stanza?.tree?.() ?? stanza;
      send.call(connection, element);
      this.count(element);
    };
  }

  watchSending() {
    const { api } = this;
    const { send } = api;
    api.send = stanza => {
      const element = stanza.tree?.() ?? stanza;
      if (this.connection && !this.connection.authenticated && isText(element)) {
        this.unsent.push(element);
        return undefined;
      }
      return send(element);
    };
    api.listen.on('send', element => (this.uncounted = this.uncounted.filter(each => each !== element)));
  }

  // What converse.js sends without its `api.send` is counted by the server all the same.
  count(element) {
    if (['iq', 'message', 'presence'].includes(element?.tagName)) {
      this.uncounted.push(element);
      queueMicrotask(() => this.uncounted.includes(element) && this.api.trigger('send', element));
    }
  }

  hold() {
    this.held = [];
    setTimeout(() => this.goOn(), 3000);
  }

  goOn() {
    const { held } = this;
    this.held = null;
    held?.forEach(message => this.connection._proto._onMessage(message));
  }

  isResumable() {
    const { connection, session } = this;
    return connection?.authenticated && !connection.disconnecting && connection.pass
      && connection.isType('websocket') && session.get('smacks_enabled') && session.get('smacks_stream_id');
  }

  // Whether the session goes on without its connection.
  leave() {
    if (!this.away && this.isResumable()) {
      this.connection._proto._closeSocket();
      this.connection.pause();
      this.away = { tries: 0, timer: 0, attempt: null };
      showAway(true);
      this.later();
    }
    return this.away !== null && !this.connection.disconnecting;
  }

  end() {
    clearTimeout(this.away?.timer);
    this.away?.attempt?.cancel();
    this.away = null;
    this.connection._data = [];
    this.connection.resume();
    showAway(false);
  }

  // The clients of a server that was stopped do not all come at once.
  later() {
    const { away } = this;
    const pause = Math.min(lastPause, firstPause * 2 ** away.tries++);
    away.timer = setTimeout(() => this.attempt(), pause * (0.5 + Math.random() / 2));
  }

  // What an attempt needs to know.
  login() {
    const { connection, session } = this;
    const { service, jid, pass } = connection;
    const id = session.get('smacks_stream_id');
    return { service, jid, pass, id, handled: session.get('num_stanzas_handled') };
  }

  attempt() {
    const { away } = this;
    clearTimeout(away.timer);
    away.attempt = new Attempt(this.strophe, this.login(), (outcome, answer, socket) => {
      away.attempt = null;
      switch (outcome) {
        case 'resumed':
          this.resumed(answer, socket);
          break;
        case 'lost':
          this.later();
          break;
        default:
          this.giveUp(answer?.getAttribute('h'));
      }
    });
  }

  // The network may be back.
  hurry() {
    const { away } = this;
    if (away) {
      away.attempt?.cancel();
      away.tries = 0;
      this.attempt();
    }
  }

  // Ends a session whose user has logged out while the server was away: others would see it.
  sayGoodbye(login, tries) {
    new Attempt(this.strophe, login, (outcome, _answer, socket) => {
      if (outcome === 'resumed') {
        socket.send("<close xmlns='urn:ietf:params:xml:ns:xmpp-framing'/>");
        socket.close();
      } else if (outcome === 'lost' && tries > 0) {
        setTimeout(() => this.sayGoodbye(login, tries - 1), lastPause);
      }
    });
  }

  // The stanzas, as texts, that the server has not handled, if it has handled so many in all.
  unhandled(h) {
    const before = this.session.get('num_stanzas_handled_by_server');
    return this.session.get('unacked_stanzas').slice(Math.max(0, Number(h ?? before) - before));
  }

  resumed(answer, socket) {
    const { connection, session } = this;
    const h = answer.getAttribute('h');
    const stanzas = this.unhandled(h);
    this.end();
    const proto = connection._proto;
    proto.socket = socket;
    socket.onmessage = message => proto._onMessage(message);
    socket.onclose = event => proto._onClose(event);
    socket.onerror = error => proto._onError(error);
    session.save({
      num_stanzas_handled_by_server: Number(h),
      num_stanzas_since_last_ack: 0,
      unacked_stanzas: stanzas,
    });
    connection._data = [...stanzas.map(parse), parse(`<r xmlns='${management}'/>`)];
    connection.flush();
    this.archive.catchUp();
    this.api.rooms.get().then(rooms => rooms.forEach(room => room.rejoinIfNecessary()));
  }

  // The session is lost, and converse.js binds a new one: messages that were not handled are sent in
  // that.
  giveUp(h) {
    const { api, session } = this;
    this.unsent.push(...this.unhandled(h).map(parse).filter(isText));
    session.save({ smacks_enabled: false, smacks_stream_id: null, unacked_stanzas: [] });
    api.trigger('streamResumptionFailed');
    this.end();
    this.connection._doDisconnect();
  }

  // The server may have stored a message without having acknowledged it.
  async sendUnsent(isTo) {
    const to = stanza => this.strophe.getBareJidFromJid(stanza.getAttribute('to'));
    const due = this.unsent.filter(each => isTo(each.getAttribute('type'), to(each)));
    this.unsent = this.unsent.filter(each => !due.includes(each));
    for (const stanza of due) {
      const room = stanza.getAttribute('type') === 'groupchat';
      try {
        if (!(await this.archive.has(to(stanza), room, stanza.getAttribute('id')))) {
          this.api.send(stanza);
        }
      } catch {
        this.unsent.push(stanza); // the connection is lost again
      }
    }
  }

  // Notices that the page, with the whole computer as a rule, was asleep.
  tick() {
    const now = Date.now();
    const slept = now - this.seen > asleep();
    this.seen = now;
    if (slept) {
      this.archive.distrust();
      this.hurry();
      if (!this.away && this.connection?.authenticated) {
        Promise.resolve(this.api.ping(null, 5000)).then(alive => alive && !this.away && this.archive.catchUp());
      }
    }
  }
}

export function keepSession(_converse) {
  new Resumption(_converse);
}
