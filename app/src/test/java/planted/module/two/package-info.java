@NullMarked
package planted.module.two;

import org.jspecify.annotations.NullMarked;
