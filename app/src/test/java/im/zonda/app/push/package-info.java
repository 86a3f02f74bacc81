/// Push notifications (XEP-0357) by a whole server and by a cluster.
@NullMarked
package im.zonda.app.push;

import org.jspecify.annotations.NullMarked;
