/// The machine that a server runs on: time, randomness and threads, and the words for its failures.
@NullMarked
package im.zonda.runtime;

import org.jspecify.annotations.NullMarked;
