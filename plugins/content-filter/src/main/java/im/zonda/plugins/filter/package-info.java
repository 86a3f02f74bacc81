/// Filters messages by lists of words and patterns, which stand in files that moderators edit.
@NullMarked
package im.zonda.plugins.filter;

import org.jspecify.annotations.NullMarked;
