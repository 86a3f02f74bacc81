/// Whether people of other servers may write to accounts that do not know them (`s2s.strangers`).
@NullMarked
package im.zonda.module.strangers;

import org.jspecify.annotations.NullMarked;
