/// Tests of the pages.
@NullMarked
package im.zonda.web;

import org.jspecify.annotations.NullMarked;
