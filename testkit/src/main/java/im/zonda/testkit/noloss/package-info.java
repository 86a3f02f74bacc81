/// Clients of every kind that record every message while their server is killed and restarted.
@NullMarked
package im.zonda.testkit.noloss;

import org.jspecify.annotations.NullMarked;
