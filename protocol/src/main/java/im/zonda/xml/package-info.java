/// Bytes to elements and back: the framer, elements and the one serialiser (RFC 6120, section 11).
@NullMarked
package im.zonda.xml;

import org.jspecify.annotations.NullMarked;
