/// Client access management (XEP-0494).
@NullMarked
package im.zonda.module.access;

import org.jspecify.annotations.NullMarked;
