@NullMarked
package planted.jid;

import org.jspecify.annotations.NullMarked;
