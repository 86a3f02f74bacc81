/// When someone was last here, and how long the server has been running (XEP-0012).
@NullMarked
package im.zonda.module.last;

import org.jspecify.annotations.NullMarked;
