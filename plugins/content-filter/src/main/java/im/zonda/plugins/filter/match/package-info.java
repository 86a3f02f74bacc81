/// Finds words and patterns in a text, whatever spelling hides them, and says where in the original
/// text they are.
@NullMarked
package im.zonda.plugins.filter.match;

import org.jspecify.annotations.NullMarked;
