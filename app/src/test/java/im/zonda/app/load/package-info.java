/// The load drivers against a whole server, and those of them that run a server in their own
/// process.
@NullMarked
package im.zonda.app.load;

import org.jspecify.annotations.NullMarked;
