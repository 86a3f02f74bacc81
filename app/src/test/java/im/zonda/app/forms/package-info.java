/// Data forms (XEP-0004) as a strict client reads them.
@NullMarked
package im.zonda.app.forms;

import org.jspecify.annotations.NullMarked;
