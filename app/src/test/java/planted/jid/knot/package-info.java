/// A knot of two classes.
@NullMarked
package planted.jid.knot;

import org.jspecify.annotations.NullMarked;
