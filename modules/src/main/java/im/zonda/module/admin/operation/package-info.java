/// The operations about people: each class defines those on one subject and says what they do.
@NullMarked
package im.zonda.module.admin.operation;

import org.jspecify.annotations.NullMarked;
