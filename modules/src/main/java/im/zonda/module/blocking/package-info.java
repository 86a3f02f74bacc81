/// Blocking of addresses (XEP-0191) and reports about them (XEP-0377).
@NullMarked
package im.zonda.module.blocking;

import org.jspecify.annotations.NullMarked;
