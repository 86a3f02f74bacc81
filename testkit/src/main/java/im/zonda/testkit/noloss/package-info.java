/// Clients of every kind that keep account of every message, while somebody kills their server.
@NullMarked
package im.zonda.testkit.noloss;

import org.jspecify.annotations.NullMarked;
