/// Extended stanza addressing (XEP-0033).
@NullMarked
package im.zonda.module.addressing;

import org.jspecify.annotations.NullMarked;
