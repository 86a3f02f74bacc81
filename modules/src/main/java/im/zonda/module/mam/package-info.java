/// The message archive of an account: queries, preferences, retention (XEP-0313, XEP-0441,
/// XEP-0431).
@NullMarked
package im.zonda.module.mam;

import org.jspecify.annotations.NullMarked;
