"""The steps of interop/run with slixmpp (Python)."""

import asyncio
import os
import sys

import slixmpp

DOMAIN = os.environ["INTEROP_DOMAIN"]
SECURITY = os.environ["INTEROP_SECURITY"]
ROOM = f"garden@rooms.{DOMAIN}"
SECONDS = 15


def step(name, result, detail=""):
    print("step", name, result, detail, flush=True)


async def order(*words):
    print("do", *words, flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)


class Client(slixmpp.ClientXMPP):
    """A user whose messages can be waited for."""

    def __init__(self, user, resource):
        super().__init__(f"{user}@{DOMAIN}/{resource}", os.environ["INTEROP_PASSWORD"])
        self.ca_certs = os.environ["INTEROP_CA"]
        self.enable_starttls = SECURITY == "starttls"
        self.enable_direct_tls = SECURITY == "tls"
        self.port = int(os.environ[f"INTEROP_PORT_{user.upper()}"])
        for plugin in ("0030", "0045", "0059", "0198", "0199", "0203", "0280", "0297", "0313"):
            self.register_plugin(f"xep_{plugin}")
        self.messages = asyncio.Queue()
        self.copies = asyncio.Queue()
        self.resumed = asyncio.Event()
        self.started = asyncio.Event()
        self.lost = asyncio.Event()
        self.coming_back = False
        self.attempts = None
        self.add_event_handler("message", self.messages.put_nowait)
        self.add_event_handler("carbon_sent", self.copies.put_nowait)
        self.add_event_handler("session_start", lambda _: self.started.set())
        self.add_event_handler("session_resumed", lambda _: self.resumed.set())
        self.add_event_handler("disconnected", self.went)

    async def went(self, _):
        self.lost.set()
        if self.coming_back and self.attempts is None:
            self.attempts = asyncio.ensure_future(self.try_again())

    async def try_again(self):
        while not (self.resumed.is_set() or self.started.is_set()):
            if self.transport is None:
                self.connect("127.0.0.1", self.port)
            await asyncio.sleep(1)
        self.attempts = None

    async def login(self):
        self.started.clear()
        self.connect("127.0.0.1", self.port)
        await asyncio.wait_for(self.started.wait(), SECONDS)
        await self.get_roster()
        self.send_presence()

    async def hear(self, text):
        """The next message with that body."""
        while True:
            message = await asyncio.wait_for(self.messages.get(), SECONDS)
            if message["body"] == text:
                return message

    async def come_back(self):
        await asyncio.wait_for(self.lost.wait(), SECONDS)


async def roster(alice, bob):
    pushed = asyncio.Event()
    alice.add_event_handler("roster_update", lambda _: pushed.set())
    await alice.update_roster(bob.boundjid.bare, name="Bob")
    await asyncio.wait_for(pushed.wait(), SECONDS)
    alice.send_presence_subscription(bob.boundjid.bare)
    await alice.wait_until("presence_available", SECONDS)
    await alice.get_roster()
    return alice.client_roster[bob.boundjid.bare]["subscription"]


async def offline(alice, bob):
    await bob.disconnect()
    alice.send_message(bob.boundjid.bare, "while you were away", mtype="chat")
    await bob.login()
    message = await bob.hear("while you were away")
    return message["delay"]["stamp"].isoformat()


async def room(alice, bob):
    muc = alice.plugin["xep_0045"]
    presence, *_ = await muc.join_muc_wait(ROOM, "alice")
    assert 201 in presence["muc"]["status_codes"], "a new room"
    form = await muc.get_room_config(ROOM)
    answers = form.get_values()
    answers["muc#roomconfig_roomname"] = "The garden"
    form.reply()
    form["type"] = "submit"
    form.set_values(answers)
    await muc.set_room_config(ROOM, form)
    await bob.plugin["xep_0045"].join_muc_wait(ROOM, "bob")
    alice.send_message(ROOM, "how green", mtype="groupchat")
    await bob.hear("how green")
    info = await bob.plugin["xep_0030"].get_info(jid=ROOM)
    muc.leave_muc(ROOM, "alice")
    bob.plugin["xep_0045"].leave_muc(ROOM, "bob")
    return f"{len(answers)} fields, {len(info['disco_info']['features'])} features"


async def archive(alice, bob):
    info = await alice.plugin["xep_0030"].get_info(jid=DOMAIN)
    assert "urn:xmpp:mam:2" in info["disco_info"]["features"], "the host names the archive"
    found = []
    async for message in alice.plugin["xep_0313"].iterate(with_jid=bob.boundjid.bare):
        found.append(message["mam_result"]["forwarded"]["stanza"]["body"])
    assert "hello Bob" in found, found
    return f"{len(found)} messages"


async def carbons(alice, bob):
    await alice.plugin["xep_0280"].enable()
    other = Client("alice", "phone")
    await other.login()
    await other.plugin["xep_0280"].enable()
    other.send_message(bob.boundjid.bare, "from the phone", mtype="chat")
    copy = await asyncio.wait_for(alice.copies.get(), SECONDS)
    await bob.hear("from the phone")
    await other.disconnect()
    return copy["carbon_sent"]["body"]


async def resume(alice, bob):
    if not alice.plugin["xep_0198"].enabled_in:
        raise AssertionError("stream management is not on")
    alice.coming_back = True
    alice.started.clear()
    await order("cut", "alice")
    await alice.come_back()
    bob.send_message(alice.boundjid.full, "into the gap", mtype="chat")
    await order("open", "alice")
    await alice.hear("into the gap")
    assert alice.resumed.is_set(), "a new session instead"
    return "resumed"


async def restart(alice, bob):
    for client in (alice, bob):
        client.coming_back = True
        client.resumed.clear()
        client.started.clear()
        client.lost.clear()
    await order("restart")
    for client in (alice, bob):
        await client.come_back()
        while not (client.resumed.is_set() or client.started.is_set()):
            await asyncio.sleep(0.1)
    alice.send_message(bob.boundjid.bare, "still here", mtype="chat")
    await bob.hear("still here")
    return "resumed" if alice.resumed.is_set() else "logged in again"


async def chat(alice, bob):
    alice.send_message(bob.boundjid.bare, "hello Bob", mtype="chat")
    message = await bob.hear("hello Bob")
    bob.send_message(message["from"], "hello Alice", mtype="chat")
    await alice.hear("hello Alice")
    return ""


async def main():
    alice, bob = Client("alice", "balcony"), Client("bob", "orchard")

    async def login():
        await alice.login()
        await bob.login()
        return f"{alice.boundjid.full}"

    steps = [("login", login)]
    for each in (roster, chat, offline, room, archive, carbons, resume, restart):
        steps.append((each.__name__, lambda each=each: each(alice, bob)))
    for name, work in steps:
        try:
            step(name, "ok", await asyncio.wait_for(work(), 3 * SECONDS))
        except Exception as e:  # the others are still worth knowing
            step(name, "failed", f"{type(e).__name__} {e}".replace("\n", " ")[:200])
            if name == "login":
                return


asyncio.run(main())
