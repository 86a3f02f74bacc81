/// Contacts who have moved to another address (XEP-0283).
@NullMarked
package im.zonda.module.moved;

import org.jspecify.annotations.NullMarked;
