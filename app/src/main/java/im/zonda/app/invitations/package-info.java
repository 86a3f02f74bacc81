/// Invitations and circles on the command line: what `zonda invite` and `zonda circle` do, in the
/// running server or with the stores of one that is stopped.
@NullMarked
package im.zonda.app.invitations;

import org.jspecify.annotations.NullMarked;
