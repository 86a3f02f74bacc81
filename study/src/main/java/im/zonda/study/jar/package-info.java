/// Variants of the jars of the product.
@NullMarked
package im.zonda.study.jar;

import org.jspecify.annotations.NullMarked;
