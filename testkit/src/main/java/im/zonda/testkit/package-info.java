/// Time and identifiers under the control of tests.
@NullMarked
package im.zonda.testkit;

import org.jspecify.annotations.NullMarked;
