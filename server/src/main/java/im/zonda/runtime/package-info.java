/// The machine that a server runs on: time, randomness and threads.
@NullMarked
package im.zonda.runtime;

import org.jspecify.annotations.NullMarked;
