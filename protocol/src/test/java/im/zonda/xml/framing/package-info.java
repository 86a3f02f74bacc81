@NullMarked
package im.zonda.xml.framing;

import org.jspecify.annotations.NullMarked;
