/// Service discovery with data forms, and the server's entity capabilities (XEP-0030, XEP-0128,
/// XEP-0115).
@NullMarked
package im.zonda.module.disco;

import org.jspecify.annotations.NullMarked;
