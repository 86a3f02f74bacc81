/// Multi-User Chat (XEP-0045): the room service of a virtual host.
///
/// [im.zonda.module.muc.MucModule] puts the parts together. The sub-packages, each of which uses
/// only those before it: `room` (the state of a room), `home` (what is kept of one room address),
/// `stanza` (request handlers and broadcasts), `archive`, `occupant`, `admin`, `discovery` (use
/// cases), and `service` (the service at its domain).
@NullMarked
package im.zonda.module.muc;

import org.jspecify.annotations.NullMarked;
