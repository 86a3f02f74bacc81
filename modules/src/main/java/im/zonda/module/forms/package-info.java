/// Data forms (XEP-0004).
@NullMarked
package im.zonda.module.forms;

import org.jspecify.annotations.NullMarked;
