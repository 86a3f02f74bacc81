/// What modules may know of the streams with other servers.
@NullMarked
package im.zonda.federation;

import org.jspecify.annotations.NullMarked;
