/// Tests of signing in on pages.
@NullMarked
package im.zonda.web.login;

import org.jspecify.annotations.NullMarked;
