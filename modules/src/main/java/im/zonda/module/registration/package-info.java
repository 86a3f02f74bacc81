/// In-band registration: accounts are created, changed and removed (XEP-0077).
@NullMarked
package im.zonda.module.registration;

import org.jspecify.annotations.NullMarked;
