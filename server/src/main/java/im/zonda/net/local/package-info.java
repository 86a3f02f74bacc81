/// Connections with programs on this machine, by sockets in the file system: those of
/// administrators, and the one at which a service manager waits for the state of the process.
@NullMarked
package im.zonda.net.local;

import org.jspecify.annotations.NullMarked;
