/// Tracing of the messages that administrators have chosen: the latest steps in the memory of each
/// node, and most of them in the store.
@NullMarked
package im.zonda.trace.recording;

import org.jspecify.annotations.NullMarked;
