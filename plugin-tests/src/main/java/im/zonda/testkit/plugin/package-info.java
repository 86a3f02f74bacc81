/// Tests of plugins.
@NullMarked
package im.zonda.testkit.plugin;

import org.jspecify.annotations.NullMarked;
