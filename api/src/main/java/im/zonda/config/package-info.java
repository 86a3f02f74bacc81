/// The configuration as values; nothing here reads files.
@NullMarked
package im.zonda.config;

import org.jspecify.annotations.NullMarked;
