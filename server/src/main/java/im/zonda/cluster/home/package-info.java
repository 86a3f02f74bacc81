/// The home of a segment: sessions, their replicated queues, and the change of ownership.
@NullMarked
package im.zonda.cluster.home;

import org.jspecify.annotations.NullMarked;
