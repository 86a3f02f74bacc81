/// Tests of `im.zonda.web.page`.
@NullMarked
package im.zonda.web.page;

import org.jspecify.annotations.NullMarked;
