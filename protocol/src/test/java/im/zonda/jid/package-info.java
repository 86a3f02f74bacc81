@NullMarked
package im.zonda.jid;

import org.jspecify.annotations.NullMarked;
