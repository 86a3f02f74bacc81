/// Delayed delivery (XEP-0203).
@NullMarked
package im.zonda.module.delay;

import org.jspecify.annotations.NullMarked;
