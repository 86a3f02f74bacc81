/// Which clients have access to an account, and taking it from them (XEP-0494).
@NullMarked
package im.zonda.module.access;

import org.jspecify.annotations.NullMarked;
