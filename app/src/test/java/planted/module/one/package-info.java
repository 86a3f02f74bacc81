@NullMarked
package planted.module.one;

import org.jspecify.annotations.NullMarked;
