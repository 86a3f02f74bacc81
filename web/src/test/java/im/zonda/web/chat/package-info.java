/// Tests of `im.zonda.web.chat`.
@NullMarked
package im.zonda.web.chat;

import org.jspecify.annotations.NullMarked;
