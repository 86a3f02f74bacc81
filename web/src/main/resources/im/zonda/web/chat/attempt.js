// One attempt to resume a session (XEP-0198): a helper connects and authenticates, and its socket is
// the session's when the server has resumed that.
export const management = 'urn:xmpp:sm:3';

export const parse = text => new DOMParser().parseFromString(text, 'text/xml').documentElement;

// Milliseconds that it may take.
const patience = 20000;

export class Attempt {
  // `session` has the URL, address and password, and the session's id and count of handled stanzas.
  // `report` is called once with `resumed` or `failed` and the server's answer, `refused` if the
  // password is wrong, or `lost`; with `resumed` it gets the socket too.
  constructor(strophe, session, report) {
    this.strophe = strophe;
    this.session = session;
    this.report = report;
    this.socket = null;
    this.timer = setTimeout(() => this.finish('lost'), patience);
    this.helper = new strophe.Connection(session.service, { explicitResourceBinding: true });
    this.helper.connect(session.jid, session.pass, (status, _condition, failure) => this.watch(status, failure));
  }

  watch(status, failure) {
    const { Status } = this.strophe;
    switch (status) {
      case Status.BINDREQUIRED:
        this.resume();
        break;
      case Status.AUTHFAIL:
        this.finish(failure?.querySelector('temporary-auth-failure') ? 'lost' : 'refused');
        break;
      case Status.DISCONNECTED:
        this.finish('lost');
        break;
    }
  }

  resume() {
    const { socket } = this.helper._proto;
    this.helper._proto.socket = null;
    this.release();
    this.socket = socket;
    socket.onclose = socket.onerror = () => this.finish('lost');
    socket.onmessage = ({ data }) => {
      const answer = parse(data);
      if (answer.namespaceURI === management && ['failed', 'resumed'].includes(answer.localName)) {
        this.finish(answer.localName, answer);
      }
    };
    const id = this.strophe.xmlescape(this.session.id);
    socket.send(`<resume xmlns='${management}' h='${this.session.handled}' previd='${id}'/>`);
  }

  finish(outcome, answer) {
    const { socket } = this;
    if (outcome === 'resumed') {
      socket.onclose = socket.onerror = socket.onmessage = null;
      this.socket = null;
    }
    this.cancel();
    this.report(outcome, answer, socket);
  }

  // Ends it without a report.
  cancel() {
    clearTimeout(this.timer);
    this.release();
    if (this.socket) {
      this.socket.onclose = this.socket.onerror = this.socket.onmessage = null;
      this.socket.close();
      this.socket = null;
    }
  }

  // Ends the helper, and its socket unless that has been taken.
  release() {
    const { helper } = this;
    if (helper) {
      this.helper = null;
      helper.connect_callback = null;
      helper.connected = false;
      clearTimeout(helper._idleTimeout);
      helper._proto._closeSocket();
    }
  }
}
