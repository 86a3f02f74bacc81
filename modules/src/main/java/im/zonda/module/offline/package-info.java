/// Offline messages (XEP-0160).
@NullMarked
package im.zonda.module.offline;

import org.jspecify.annotations.NullMarked;
