/// Hand-written stand-ins for the engine and the stores, for the tests of modules.
@NullMarked
package im.zonda.module.testing;

import org.jspecify.annotations.NullMarked;
