/// Creates many users for tests, and removes them again.
@NullMarked
package im.zonda.plugins.generator;

import org.jspecify.annotations.NullMarked;
