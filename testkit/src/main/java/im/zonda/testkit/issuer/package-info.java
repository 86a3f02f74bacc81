/// An issuer of tokens under the control of tests.
@NullMarked
package im.zonda.testkit.issuer;

import org.jspecify.annotations.NullMarked;
