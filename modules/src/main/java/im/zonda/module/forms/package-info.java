/// Data forms, as other protocols carry them (XEP-0004).
@NullMarked
package im.zonda.module.forms;

import org.jspecify.annotations.NullMarked;
