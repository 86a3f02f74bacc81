@NullMarked
package im.zonda.xml;

import org.jspecify.annotations.NullMarked;
