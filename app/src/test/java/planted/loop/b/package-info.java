@NullMarked
package planted.loop.b;

import org.jspecify.annotations.NullMarked;
