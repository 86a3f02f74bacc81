@NullMarked
package planted.module.muc.home;

import org.jspecify.annotations.NullMarked;
