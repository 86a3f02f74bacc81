/// Pairs of clients that chat at a fixed rate.
@NullMarked
package im.zonda.bench.chat;

import org.jspecify.annotations.NullMarked;
