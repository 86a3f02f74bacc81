/// Rules, and the files in which they stand.
@NullMarked
package im.zonda.plugins.filter.rule;

import org.jspecify.annotations.NullMarked;
