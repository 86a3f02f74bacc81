/// Tests of the pages by which people get an account.
@NullMarked
package im.zonda.web.join;

import org.jspecify.annotations.NullMarked;
