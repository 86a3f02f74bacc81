@NullMarked
package planted.loop.a;

import org.jspecify.annotations.NullMarked;
