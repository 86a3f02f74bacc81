/// Load drivers: clients that put a load on any XMPP server and report what it costs. No server
/// code.
@NullMarked
package im.zonda.bench;

import org.jspecify.annotations.NullMarked;
