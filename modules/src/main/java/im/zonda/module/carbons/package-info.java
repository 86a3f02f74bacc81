/// Keeps all clients of an account in every conversation (XEP-0280).
@NullMarked
package im.zonda.module.carbons;

import org.jspecify.annotations.NullMarked;
