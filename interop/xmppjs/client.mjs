// The steps of interop/run with xmpp.js (JavaScript). It logs in by SASL2, Bind 2 and FAST.

import { client, xml, jid } from "@xmpp/client";
import readline from "node:readline";

const { INTEROP_DOMAIN: domain, INTEROP_SECURITY: security, INTEROP_PASSWORD: password } = process.env;
const room = `garden@rooms.${domain}`;
const SECONDS = 15;

const lines = readline.createInterface({ input: process.stdin });

function step(name, result, detail = "") {
  console.log("step", name, result, detail);
}

function order(...words) {
  return new Promise((resolve) => {
    lines.once("line", resolve);
    console.log("do", ...words);
  });
}

function within(promise, what, seconds = SECONDS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} in ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// A user. Stanzas that no call waits for are kept.
class User {
  constructor(name, resource) {
    this.kept = [];
    this.waiting = [];
    this.online = 0;
    this.resumed = 0;
    const port = process.env[`INTEROP_PORT_${name.toUpperCase()}`];
    const scheme = security === "tls" ? "xmpps" : "xmpp";
    this.xmpp = client({ service: `${scheme}://${domain}:${port}`, domain, resource, username: name, password });
    this.xmpp.on("error", (e) => console.error(name, e.message));
    this.xmpp.on("online", () => this.online++);
    this.xmpp.streamManagement.on("resumed", () => this.resumed++);
    this.xmpp.on("stanza", (stanza) => {
      const found = this.waiting.findIndex((one) => one.fits(stanza));
      if (found < 0) this.kept.push(stanza);
      else this.waiting.splice(found, 1)[0].resolve(stanza);
    });
    this.bare = `${name}@${domain}`;
  }

  async login() {
    await within(this.xmpp.start(), "login");
    await this.ask(xml("query", "jabber:iq:roster"));
    await this.xmpp.send(xml("presence"));
  }

  receives(fits, what) {
    const found = this.kept.findIndex(fits);
    if (found >= 0) return Promise.resolve(this.kept.splice(found, 1)[0]);
    return within(new Promise((resolve) => this.waiting.push({ fits, resolve })), what);
  }

  hears(text) {
    return this.receives((stanza) => stanza.getChildText("body") === text, text);
  }

  says(to, text, type = "chat") {
    return this.xmpp.send(xml("message", { to, type }, xml("body", {}, text)));
  }

  ask(payload, { to, type = "get" } = {}) {
    return within(this.xmpp.iqCaller.request(xml("iq", to ? { type, to } : { type }, payload)), "answer");
  }

  async backSince(online, resumed) {
    for (let i = 0; i < SECONDS * 10; i++) {
      if (this.online > online || this.resumed > resumed) return this.resumed > resumed ? "resumed" : "logged in again";
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("not back");
  }
}

const alice = new User("alice", "balcony");
const bob = new User("bob", "orchard");
const presence = (type) => (stanza) => stanza.is("presence") && stanza.attrs.type === type;

const steps = {
  async login() {
    await alice.login();
    await bob.login();
    return `${alice.xmpp.jid} with SASL2: ${alice.xmpp.streamManagement.enabled ? "management inline" : "no management"}`;
  },
  async roster() {
    await alice.ask(xml("query", "jabber:iq:roster", xml("item", { jid: bob.bare, name: "Bob" })), { type: "set" });
    await alice.xmpp.send(xml("presence", { to: bob.bare, type: "subscribe" }));
    await bob.receives(presence("subscribe"), "request");
    await bob.xmpp.send(xml("presence", { to: alice.bare, type: "subscribed" }));
    await alice.receives((stanza) => presence(undefined)(stanza) && jid(stanza.attrs.from).bare().toString() === bob.bare, "presence");
    const roster = await alice.ask(xml("query", "jabber:iq:roster"));
    return roster.getChild("query").getChild("item").attrs.subscription;
  },
  async chat() {
    await alice.says(bob.bare, "hello Bob");
    const message = await bob.hears("hello Bob");
    await bob.says(message.attrs.from, "hello Alice");
    await alice.hears("hello Alice");
  },
  async offline() {
    await bob.xmpp.stop();
    await alice.says(bob.bare, "while you were away");
    await bob.login();
    const message = await bob.hears("while you were away");
    return message.getChild("delay", "urn:xmpp:delay").attrs.stamp;
  },
  async room() {
    await alice.xmpp.send(xml("presence", { to: `${room}/alice` }, xml("x", "http://jabber.org/protocol/muc")));
    await alice.receives((stanza) => stanza.attrs.from === `${room}/alice` && stanza.is("presence"), "own presence");
    const owner = "http://jabber.org/protocol/muc#owner";
    const form = (await alice.ask(xml("query", owner), { to: room })).getChild("query").getChild("x");
    form.attrs = { xmlns: "jabber:x:data", type: "submit" };
    await alice.ask(xml("query", owner, form), { to: room, type: "set" });
    await bob.xmpp.send(xml("presence", { to: `${room}/bob` }, xml("x", "http://jabber.org/protocol/muc")));
    await bob.receives((stanza) => stanza.attrs.from === `${room}/bob` && stanza.is("presence"), "own presence");
    await alice.says(room, "how green", "groupchat");
    await bob.hears("how green");
    for (const [user, nick] of [[alice, "alice"], [bob, "bob"]]) {
      await user.xmpp.send(xml("presence", { to: `${room}/${nick}`, type: "unavailable" }));
      await user.receives((stanza) => stanza.attrs.from === `${room}/${nick}` && presence("unavailable")(stanza), "exit");
    }
    return `${form.getChildren("field").length} fields`;
  },
  async archive() {
    const info = await alice.ask(xml("query", "http://jabber.org/protocol/disco#info"), { to: domain });
    const named = info.getChild("query").getChildren("feature").some((one) => one.attrs.var === "urn:xmpp:mam:2");
    if (!named) throw new Error("the host does not name the archive");
    const fin = await alice.ask(xml("query", { xmlns: "urn:xmpp:mam:2", queryid: "q" }), { type: "set" });
    const found = alice.kept.filter((stanza) => stanza.getChild("result", "urn:xmpp:mam:2"));
    return `${found.length} messages, complete ${fin.getChild("fin").attrs.complete}`;
  },
  async carbons() {
    await alice.ask(xml("enable", "urn:xmpp:carbons:2"), { type: "set" });
    const phone = new User("alice", "phone");
    await phone.login();
    await phone.says(bob.bare, "from the phone");
    await alice.receives((stanza) => stanza.getChild("sent", "urn:xmpp:carbons:2"), "carbon copy");
    await bob.hears("from the phone");
    await phone.xmpp.stop();
  },
  async resume() {
    const { online, resumed } = alice;
    await order("cut", "alice");
    await bob.says(alice.xmpp.jid.toString(), "into the gap");
    await order("open", "alice");
    const how = await alice.backSince(online, resumed);
    await alice.hears("into the gap");
    return how;
  },
  async restart() {
    const before = [alice, bob].map(({ online, resumed }) => ({ online, resumed }));
    await order("restart");
    const how = await alice.backSince(before[0].online, before[0].resumed);
    await bob.backSince(before[1].online, before[1].resumed);
    if (how !== "resumed") await alice.xmpp.send(xml("presence"));
    await alice.says(bob.xmpp.jid.toString(), "still here");
    await bob.hears("still here");
    return how;
  },
};

for (const [name, work] of Object.entries(steps)) {
  try {
    step(name, "ok", (await within(work(), "end of the step", 3 * SECONDS)) ?? "");
  } catch (e) {
    step(name, "failed", e.message.replaceAll("\n", " ").slice(0, 200));
    if (name === "login") break;
  }
}
process.exit(0);
