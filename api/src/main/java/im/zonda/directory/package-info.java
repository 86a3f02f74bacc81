/// Data that modules provide for web pages: the public rooms, invitations, the creation of
/// accounts, and what is kept of an account. Modules implement these interfaces; pages use them
/// without knowing the modules.
@NullMarked
package im.zonda.directory;

import org.jspecify.annotations.NullMarked;
