/// Keeps the ids that the server gives to messages free of forgeries (XEP-0359).
@NullMarked
package im.zonda.module.stanzaid;

import org.jspecify.annotations.NullMarked;
