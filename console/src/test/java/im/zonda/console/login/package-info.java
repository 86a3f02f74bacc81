/// Tests of `im.zonda.console.login`.
@NullMarked
package im.zonda.console.login;

import org.jspecify.annotations.NullMarked;
