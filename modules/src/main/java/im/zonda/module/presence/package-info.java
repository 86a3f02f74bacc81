/// Presence and subscriptions (RFC 6121, sections 3 and 4).
@NullMarked
package im.zonda.module.presence;

import org.jspecify.annotations.NullMarked;
