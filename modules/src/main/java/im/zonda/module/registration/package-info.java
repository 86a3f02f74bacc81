/// Accounts made, changed and removed by their owners (XEP-0077).
@NullMarked
package im.zonda.module.registration;

import org.jspecify.annotations.NullMarked;
