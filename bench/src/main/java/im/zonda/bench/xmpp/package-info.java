/// Clients of the generator: connections, streams, logins.
@NullMarked
package im.zonda.bench.xmpp;

import org.jspecify.annotations.NullMarked;
