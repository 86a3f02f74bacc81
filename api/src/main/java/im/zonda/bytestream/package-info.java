/// Streams of bytes between clients beside their XML streams.
@NullMarked
package im.zonda.bytestream;

import org.jspecify.annotations.NullMarked;
