@NullMarked
package planted.module.muc;

import org.jspecify.annotations.NullMarked;
