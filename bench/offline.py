#!/usr/bin/env python3
"""How long messages that wait take to reach a client with stream management (XEP-0198).

    bench/offline.py PORT DOMAIN COUNT [ROUNDS] [BYTES]

Needs the accounts romeo and juliet with the password `secret`, and logins without TLS (`c2s.plaintext = "loopback"`).
romeo sends COUNT messages while juliet is away; the time is from her presence to the last message. She answers each
`<r/>` at once.
"""

import base64
import re
import socket
import sys
import time

SM = "xmlns='urn:xmpp:sm:3'"
ITEMS = re.compile(rb"</message>|<presence[^>]*/>|</presence>|<r [^>]*/>")


class Client:
    def __init__(self, port, domain, user):
        self.domain = domain
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = b""
        self.open()
        plain = base64.b64encode(b"\0" + user.encode() + b"\0secret").decode()
        self.send(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{plain}</auth>")
        self.until(b"<success")
        self.open()
        self.send("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        self.until(b"</iq>")
        self.send(f"<enable {SM}/>")
        self.until(b"<enabled")

    def open(self):
        self.send(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' version='1.0' "
            f"xmlns:stream='http://etherx.jabber.org/streams' to='{self.domain}'>"
        )
        self.until(b"</stream:features>")

    def send(self, xml):
        self.socket.sendall(xml.encode())

    def read(self):
        data = self.socket.recv(262144)
        if not data:
            raise SystemExit(f"closed: {self.heard[-300:]!r}")
        self.heard += data

    def until(self, mark):
        while mark not in self.heard:
            self.read()
        self.heard = b""


def store(romeo, count, body):
    for i in range(count):
        romeo.send(f"<message to='juliet@{romeo.domain}' type='chat' id='m{i}'><body>{body}</body></message>")
    romeo.send(f"<r {SM}/>")
    handled = None
    while handled != count:
        romeo.read()
        counts = re.findall(rb"<a [^>]*h='(\d+)'", romeo.heard)
        if counts and handled != int(counts[-1]):
            handled = int(counts[-1])
            romeo.send(f"<r {SM}/>")


def deliver(juliet, count):
    start = time.perf_counter()
    juliet.send("<presence/>")
    handled = messages = 0
    while messages < count:
        juliet.read()
        end = 0
        for item in ITEMS.finditer(juliet.heard):
            end = item.end()
            if item.group().startswith(b"<r "):
                juliet.send(f"<a {SM} h='{handled}'/>")
            else:
                handled += 1
                messages += item.group() == b"</message>"
        juliet.heard = juliet.heard[end:]
    millis = (time.perf_counter() - start) * 1000
    juliet.send(f"<a {SM} h='{handled}'/></stream:stream>")
    juliet.until(b"</stream:stream>")
    return millis


def main():
    port, domain, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    body = "x" * (int(sys.argv[5]) if len(sys.argv) > 5 else 100)
    for _ in range(rounds):
        romeo = Client(port, domain, "romeo")
        store(romeo, count, body)
        romeo.send("</stream:stream>")
        print(f"{count} messages: {deliver(Client(port, domain, 'juliet'), count):.0f} ms", flush=True)


if __name__ == "__main__":
    main()
