/// Result set management: pages of large results (XEP-0059).
@NullMarked
package im.zonda.module.rsm;

import org.jspecify.annotations.NullMarked;
