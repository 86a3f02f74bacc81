/// What modules tell pages for people: the public rooms, invitations, and how to create an account.
/// Modules implement these interfaces; pages use them without knowing the modules.
@NullMarked
package im.zonda.directory;

import org.jspecify.annotations.NullMarked;
