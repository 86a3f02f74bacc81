/// Entity time (XEP-0202).
@NullMarked
package im.zonda.module.time;

import org.jspecify.annotations.NullMarked;
