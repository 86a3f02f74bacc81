/// Message carbons: copies for the other clients of an account (XEP-0280).
@NullMarked
package im.zonda.module.carbons;

import org.jspecify.annotations.NullMarked;
