@NullMarked
package planted.stanza;

import org.jspecify.annotations.NullMarked;
