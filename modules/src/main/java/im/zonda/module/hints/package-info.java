/// Message processing hints (XEP-0334).
@NullMarked
package im.zonda.module.hints;

import org.jspecify.annotations.NullMarked;
