/// Stanza ids: forged ones are removed (XEP-0359).
@NullMarked
package im.zonda.module.stanzaid;

import org.jspecify.annotations.NullMarked;
