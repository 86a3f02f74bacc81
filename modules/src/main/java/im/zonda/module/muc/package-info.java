/// Multi-User Chat (XEP-0045): the room service of a virtual host.
///
/// [im.zonda.module.muc.MucModule] puts the parts together. The sub-packages, each of which uses
/// only those before it: `room` (the state of a room), `home` (what is kept of one room address),
/// `stanza` (request handlers and broadcasts), `archive`, `occupant`, `admin`, `discovery` (use
/// cases), and `service` (the service at its domain).
///
/// A private message to an occupant with several sessions is one envelope for its account
/// ([im.zonda.module.Envelope#others]): one entry of its archive, and one message that waits while
/// no session is there. Accounts of other servers, and accounts here in rooms of other servers, get
/// a stanza for each session and have each in their archive: nothing says that they are one
/// message, as their ids may be missing or repeated.
@NullMarked
package im.zonda.module.muc;

import org.jspecify.annotations.NullMarked;
