@NullMarked
package planted.module.muc.room;

import org.jspecify.annotations.NullMarked;
