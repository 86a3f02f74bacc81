/// XML as values: names, elements and text, the serialiser, and the limits and errors of parsing.
/// The parser is in `im.zonda.xml.framing`.
@NullMarked
package im.zonda.xml;

import org.jspecify.annotations.NullMarked;
