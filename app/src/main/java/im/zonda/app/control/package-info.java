/// The data folder, its lock, and the control socket through which commands reach a running server.
@NullMarked
package im.zonda.app.control;

import org.jspecify.annotations.NullMarked;
