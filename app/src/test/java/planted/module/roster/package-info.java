@NullMarked
package planted.module.roster;

import org.jspecify.annotations.NullMarked;
