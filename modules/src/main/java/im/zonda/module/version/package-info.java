/// Software version (XEP-0092).
@NullMarked
package im.zonda.module.version;

import org.jspecify.annotations.NullMarked;
