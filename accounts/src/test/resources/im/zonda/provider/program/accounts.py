"""Accounts by the extauth protocol: Juliet has the password "a:b c", Жюли "né"."""
import struct
import sys

PASSWORDS = {"juliet": "a:b c", "жюли": "né"}


def decide(operation, user, server, value):
    if server != "example.org" or user not in PASSWORDS:
        return False
    if operation == "auth":
        return PASSWORDS[user] == value
    return operation in ("isuser", "setpass")


while True:
    head = sys.stdin.buffer.read(2)
    if len(head) < 2:
        break
    text = sys.stdin.buffer.read(*struct.unpack(">H", head)).decode("utf-8")
    fields = text.split(":", 3) + [""]
    sys.stdout.buffer.write(struct.pack(">HH", 2, decide(*fields[:4])))
    sys.stdout.buffer.flush()
