/// Last activity of accounts, and the server's uptime (XEP-0012).
@NullMarked
package im.zonda.module.last;

import org.jspecify.annotations.NullMarked;
