/// Looks at the server as clients and other servers see it.
@NullMarked
package im.zonda.app.reach;

import org.jspecify.annotations.NullMarked;
