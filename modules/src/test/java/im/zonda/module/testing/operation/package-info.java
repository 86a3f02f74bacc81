/// Runs the operations of modules in tests.
@NullMarked
package im.zonda.module.testing.operation;

import org.jspecify.annotations.NullMarked;
