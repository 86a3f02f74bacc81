/// The data folder of one server, and the socket in it through which commands reach the server.
@NullMarked
package im.zonda.app.control;

import org.jspecify.annotations.NullMarked;
