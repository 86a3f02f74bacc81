/// Tests of `im.zonda.console.view`.
@NullMarked
package im.zonda.console.view;

import org.jspecify.annotations.NullMarked;
