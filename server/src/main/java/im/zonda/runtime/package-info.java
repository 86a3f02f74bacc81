/// What a server takes from the machine that it runs on: time, randomness and threads.
@NullMarked
package im.zonda.runtime;

import org.jspecify.annotations.NullMarked;
