/// Examples of the page on plugins.
@NullMarked
package im.zonda.testkit.plugin.example;

import org.jspecify.annotations.NullMarked;
