/// Namespace delegation (XEP-0355): external components that answer requests in place of the
/// server.
@NullMarked
package im.zonda.module.delegation;

import org.jspecify.annotations.NullMarked;
