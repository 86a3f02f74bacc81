/// Connections of programs on this machine, by a socket in the file system.
@NullMarked
package im.zonda.net.local;

import org.jspecify.annotations.NullMarked;
