"""Fills a server with what three people do, so that its data can be imported.

usage: fill.py PORT DOMAIN ROOMS

The accounts juliet, romeo and nurse exist, with the passwords secret-juliet and so on.
"""
import asyncio
import sys
from xml.etree import ElementTree as ET

import slixmpp
from slixmpp.exceptions import IqError

PORT, DOMAIN, ROOMS = int(sys.argv[1]), sys.argv[2], sys.argv[3]
COVEN = "coven@" + ROOMS


class Person(slixmpp.ClientXMPP):
    def __init__(self, name):
        super().__init__(f"{name}@{DOMAIN}/script", "secret-" + name)
        self["feature_mechanisms"].unencrypted_plain = True
        self["feature_mechanisms"].unencrypted_scram = True
        for plugin in ("xep_0030", "xep_0045", "xep_0060", "xep_0163"):
            self.register_plugin(plugin)
        self.auto_authorize = None
        self.auto_subscribe = False
        self.enable_starttls = False
        self.enable_direct_tls = False
        self.enable_plaintext = True
        self.begun = asyncio.Event()
        self.add_event_handler("session_start", lambda _: self.begun.set())

    async def begin(self):
        self.connect("127.0.0.1", PORT)
        await asyncio.wait_for(self.begun.wait(), 20)
        await self.get_roster()
        self.send_presence()
        return self

    async def ask(self, kind, payload, to=None):
        iq = self.make_iq(ito=to, ifrom=None)
        iq["type"] = kind
        iq.xml.append(ET.fromstring(payload))
        return await iq.send(timeout=20)

    async def tell(self, to, body, kind="chat"):
        self.send_message(mto=to, mbody=body, mtype=kind)
        await self.settled()

    async def settled(self):
        """What was sent before has been handled by our own server."""
        try:
            await self.ask("get", "<query xmlns='http://jabber.org/protocol/disco#info'/>", DOMAIN)
        except IqError:
            pass
        await asyncio.sleep(0.3)


async def main():
    juliet, romeo = await Person("juliet").begin(), await Person("romeo").begin()
    nurse = await Person("nurse").begin()
    await juliet.ask(
        "set",
        "<query xmlns='jabber:iq:roster'>"
        f"<item jid='romeo@{DOMAIN}' name='Roméo &quot;R&quot;'><group>Friends</group><group>Verona</group></item>"
        f"</query>",
    )
    for one, other in ((juliet, romeo), (romeo, juliet)):
        one.send_presence_subscription(pto=other.boundjid.bare, ptype="subscribe")
        await one.settled()
        other.send_presence_subscription(pto=one.boundjid.bare, ptype="subscribed")
        await other.settled()
    nurse.send_presence_subscription(pto=juliet.boundjid.bare, ptype="subscribe")
    await nurse.settled()
    await juliet.ask("set", "<vCard xmlns='vcard-temp'><FN>Juliet Capulet</FN><URL>http://capulet.example/</URL></vCard>")
    await juliet.ask(
        "set",
        "<query xmlns='jabber:iq:private'><exodus xmlns='exodus:prefs'><defaultnick>J</defaultnick></exodus></query>",
    )
    await juliet.ask(
        "set",
        f"<block xmlns='urn:xmpp:blocking'><item jid='paris@{DOMAIN}'/><item jid='tybalt@elsewhere.example'/></block>",
    )
    await juliet.ask(
        "set",
        "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='http://jabber.org/protocol/nick'>"
        "<item id='current'><nick xmlns='http://jabber.org/protocol/nick'>Jules</nick></item></publish></pubsub>",
    )
    await juliet.ask(
        "set",
        "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='urn:xmpp:bookmarks:1'>"
        f"<item id='{COVEN}'><conference xmlns='urn:xmpp:bookmarks:1' name='Coven' autojoin='true'><nick>Juliet</nick></conference></item></publish>"
        "<publish-options><x xmlns='jabber:x:data' type='submit'>"
        "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#publish-options</value></field>"
        "<field var='pubsub#persist_items'><value>true</value></field>"
        "<field var='pubsub#access_model'><value>whitelist</value></field>"
        "</x></publish-options></pubsub>",
    )
    await romeo.tell(juliet.boundjid.bare, "But soft! What light?")
    await juliet.tell(romeo.boundjid.bare, "Ay me! <&> ' \u2764")
    # A room
    juliet["xep_0045"].join_muc(COVEN, "Juliet")
    await juliet.settled()
    offered = str(await juliet.ask("get", "<query xmlns='http://jabber.org/protocol/muc#owner'/>", COVEN))
    form = "".join(
        f"<field var='muc#roomconfig_{name}'><value>{value}</value></field>"
        for name, value in {
            "roomname": "The Coven",
            "roomdesc": "Where witches meet",
            "persistentroom": "1",
            "publicroom": "1",
            "membersonly": "1",
            "moderatedroom": "0",
            "whois": "anyone",
            "changesubject": "1",
            "passwordprotectedroom": "1",
            "roomsecret": "cauldron",
            "enablelogging": "1",
            "enablearchiving": "1",
            "mam": "1",
        }.items()
        if f"muc#roomconfig_{name}" in offered
    )
    await juliet.ask(
        "set",
        "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'>"
        "<field var='FORM_TYPE'><value>http://jabber.org/protocol/muc#roomconfig</value></field>"
        f"{form}</x></query>",
        COVEN,
    )
    for item in (
        f"<item affiliation='member' jid='romeo@{DOMAIN}'/>",
        f"<item affiliation='outcast' jid='paris@{DOMAIN}'><reason>Too late</reason></item>",
    ):
        await juliet.ask("set", f"<query xmlns='http://jabber.org/protocol/muc#admin'>{item}</query>", COVEN)
    romeo["xep_0045"].join_muc(COVEN, "Romeo", password="cauldron")
    await romeo.settled()
    juliet.send_message(mto=COVEN, msubject="Double, double", mtype="groupchat")
    await juliet.settled()
    await juliet.tell(COVEN, "Fire burn", "groupchat")
    await romeo.tell(COVEN, "and cauldron bubble", "groupchat")
    await juliet.disconnect()
    await asyncio.sleep(1)
    await romeo.tell(juliet.boundjid.bare, "Did my heart love till now?")
    await nurse.tell(juliet.boundjid.bare, "Madam!")
    await nurse.disconnect()
    await romeo.disconnect()
    await asyncio.sleep(1)


asyncio.run(main())
