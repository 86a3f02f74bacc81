/// Data that modules provide for web pages: the public rooms, invitations, and the creation of
/// accounts. Modules implement these interfaces; pages use them without knowing the modules.
@NullMarked
package im.zonda.directory;

import org.jspecify.annotations.NullMarked;
