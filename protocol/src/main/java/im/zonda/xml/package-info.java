/// XML as values: names, elements and text, the one serialiser, and the limits and errors of what
/// is read. Bytes become these values in `im.zonda.xml.framing`.
@NullMarked
package im.zonda.xml;

import org.jspecify.annotations.NullMarked;
