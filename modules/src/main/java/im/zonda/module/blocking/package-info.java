/// Lets an account block others (XEP-0191), and report them (XEP-0377).
@NullMarked
package im.zonda.module.blocking;

import org.jspecify.annotations.NullMarked;
