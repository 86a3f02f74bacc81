/// The program: command line, wiring, configuration file, control socket.
@NullMarked
package im.zonda.app;

import org.jspecify.annotations.NullMarked;
