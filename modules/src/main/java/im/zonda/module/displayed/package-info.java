/// Message displayed synchronization (XEP-0490).
@NullMarked
package im.zonda.module.displayed;

import org.jspecify.annotations.NullMarked;
