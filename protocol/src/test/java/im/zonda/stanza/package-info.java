@NullMarked
package im.zonda.stanza;

import org.jspecify.annotations.NullMarked;
