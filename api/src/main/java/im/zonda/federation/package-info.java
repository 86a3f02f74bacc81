/// The view that modules have of streams with other servers.
@NullMarked
package im.zonda.federation;

import org.jspecify.annotations.NullMarked;
