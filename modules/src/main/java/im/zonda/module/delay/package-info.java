/// Marks what is delivered later than it was sent (XEP-0203).
@NullMarked
package im.zonda.module.delay;

import org.jspecify.annotations.NullMarked;
