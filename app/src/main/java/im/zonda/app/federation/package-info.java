/// The commands `zonda s2s`: the list of links with other servers, and the check of a remote
/// domain.
@NullMarked
package im.zonda.app.federation;

import org.jspecify.annotations.NullMarked;
