// Catches up with the archive (XEP-0313) after the last message that is known to have nothing
// missing before it. converse.js asks by the time of its newest message, which is wrong if that was
// read from the socket of a computer that had slept: what came since is then never asked for.

// The archive's id of that message, kept with the chat.
const known = 'zonda_archived';

// The pages that are read at once. If there are more, converse.js shows where the rest is.
const mostPages = 10;

class Archive {
  chats = new Map(); // by address
  current = new WeakSet(); // chats that have caught up, and get what follows from the stream
  asked = new WeakSet(); // chats that are catching up
  ends = new WeakMap(); // the last id of what was found, by query, null for none

  constructor(_converse) {
    this._converse = _converse;
    const { api } = _converse;
    this.query = api.archive.query;
    api.archive.query = options => (options?.rsm?.before === '' ? this.newest(options) : this.query(options));
    api.listen.on('will-reconnect', () => this.distrust());
    api.listen.on('afterMessagesFetched', chat => this.follow(chat));
    api.listen.on('MAMResult', ({ query, chatbox }) => {
      if (this.ends.has(query)) {
        const last = this.ends.get(query);
        if (last) {
          chatbox.save(known, last);
        }
        this.current.add(chatbox);
      }
    });
  }

  follow(chat) {
    const jid = chat.get('jid');
    if (this.chats.get(jid) === chat) {
      return;
    }
    this.chats.set(jid, chat);
    const { messages } = chat;
    const by = chat.get('type') === 'chatroom' ? jid : this._converse.session.get('bare_jid');
    chat.listenTo(messages, 'add', message => {
      const id = message.get(`stanza_id ${by}`);
      if (id && this.current.has(chat)) {
        chat.save(known, id);
      }
    });
    chat.listenTo(messages, 'change:time', () => messages.sort()); // now that of the archive
  }

  // What a chat asks for when it is opened or connected again.
  async newest(options) {
    const after = options.mam?.start && this.chats.get(options.mam.with)?.get(known);
    const found = after ? await this.since(options, after) : null;
    if (found) {
      return found;
    }
    const result = await this.query(options);
    if (!result.error) {
      this.ends.set(options, result.rsm?.result.last ?? null);
    }
    return result;
  }

  // Reads page by page, so that an interruption leaves nothing out; null if it asks otherwise.
  async since(query, after) {
    const { rsm, mam, ...options } = query;
    const messages = [];
    for (let pages = 0, last = after; pages < mostPages; pages++) {
      const page = await this.query({ ...options, mam: { with: mam.with }, rsm: { max: rsm.max, after: last } });
      if (page.error) {
        return pages === 0 && page.error.name !== 'TimeoutError' ? null : { messages, error: page.error };
      }
      messages.push(...page.messages);
      last = page.rsm?.result.last ?? last;
      if (page.complete) {
        this.ends.set(query, last);
        return { messages, complete: true };
      }
    }
    const newest = await this.query({ ...options, mam, rsm });
    return { ...newest, messages: [...messages, ...newest.messages] };
  }

  // Messages may have been missed, or have come late and got a wrong time.
  distrust() {
    this.current = new WeakSet();
    this.asked = new WeakSet();
  }

  // Has every chat read what it may have missed.
  catchUp() {
    for (const chat of this._converse.state.chatboxes?.models ?? []) {
      if (chat.messages?.length && chat.get(known) && !this.current.has(chat) && !this.asked.has(chat)) {
        this.asked.add(chat);
        const start = chat.getMostRecentMessage()?.get('time');
        converse.env.u.mam.fetchArchivedMessages(chat, { mam: { start }, rsm: { before: '' } });
      }
    }
  }

  // Whether the newest messages with that address include that one.
  async has(jid, isRoom, id) {
    const found = await this.query({ is_groupchat: isRoom, mam: { with: jid }, rsm: { max: '50', before: '' } });
    return found.messages.some(each => each.querySelector('forwarded > message')?.getAttribute('id') === id);
  }
}

export function followArchive(_converse) {
  return new Archive(_converse);
}
