@NullMarked
package planted.operation;

import org.jspecify.annotations.NullMarked;
