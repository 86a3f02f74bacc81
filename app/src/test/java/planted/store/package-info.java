@NullMarked
package planted.store;

import org.jspecify.annotations.NullMarked;
