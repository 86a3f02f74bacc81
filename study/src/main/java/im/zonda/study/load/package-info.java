/// Load on pages: JMeter's, and an open loop.
@NullMarked
package im.zonda.study.load;

import org.jspecify.annotations.NullMarked;
