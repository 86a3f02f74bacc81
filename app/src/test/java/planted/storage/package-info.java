@NullMarked
package planted.storage;

import org.jspecify.annotations.NullMarked;
