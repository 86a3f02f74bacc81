/// Pairs of clients that chat at a fixed rate.
@NullMarked
package im.zonda.app.load.chat;

import org.jspecify.annotations.NullMarked;
