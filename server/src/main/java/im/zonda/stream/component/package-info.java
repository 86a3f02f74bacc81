/// Streams of external components (XEP-0114): header, handshake, stanzas. What is done with the
/// stanzas is decided by a [im.zonda.link.ComponentGate].
@NullMarked
package im.zonda.stream.component;

import org.jspecify.annotations.NullMarked;
