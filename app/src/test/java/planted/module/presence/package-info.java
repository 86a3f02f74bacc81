@NullMarked
package planted.module.presence;

import org.jspecify.annotations.NullMarked;
