/// Reads XML streams: bytes from the network become frames, and frames become elements.
///
/// [XmppFramer] finds the boundaries of the stream header and of each first-level element, and
/// checks them: UTF-8, well-formedness, namespaces, the restrictions of RFC 6120 and the limits.
/// [Frame] is one checked element. [XmlParser] and [XmlReader] read a single element from memory.
@NullMarked
package im.zonda.xml.framing;

import org.jspecify.annotations.NullMarked;
