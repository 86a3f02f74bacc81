/// The removal of accounts with what others have given to them.
@NullMarked
package im.zonda.host.removal;

import org.jspecify.annotations.NullMarked;
