@NullMarked
package planted.bench;

import org.jspecify.annotations.NullMarked;
