/// Pages of long results, as other protocols ask for them (XEP-0059).
@NullMarked
package im.zonda.module.rsm;

import org.jspecify.annotations.NullMarked;
